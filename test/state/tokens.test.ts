import { describe, expect, test } from "bun:test"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { openState } from "../../src/state/state.ts"
import { digestOf } from "../../src/state/token-text.ts"
import type { TokenRights } from "../../src/state/tokens.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const ALL: TokenRights = { mounts: null, workdirs: null, readOnly: false, expires: null }

describe("Tokens", () => {
  test("create() gives 256 bits behind the prefix, and no file ever holds them", () => {
    using state = openState(directory())
    const texts = Array.from({ length: 20 }, (_, i) => state.tokens.create(`t${i}`, ALL, i) ?? "")
    expect(new Set(texts).size).toBe(20)
    for (const text of texts) expect(text).toMatch(/^sfs_[A-Za-z0-9_-]{43}$/)
    const bytes = readdirSync(directory()).map((name) => readFileSync(join(directory(), name), "latin1")).join("")
    expect(bytes).toContain("t19")
    for (const text of texts) expect(bytes).not.toContain(text.slice(4))
  })

  test("create() leaves a token whose name is taken as it is", () => {
    using state = openState(directory())
    const text = state.tokens.create("ci", ALL, 0) ?? ""
    expect(state.tokens.create("ci", { ...ALL, readOnly: true }, 1)).toBeNull()
    expect(state.tokens.find(digestOf(text))).toMatchObject({ name: "ci", readOnly: false })
  })

  test("find() gives the rights as they were granted, and null for any other text", () => {
    using state = openState(directory())
    const rights = { mounts: ["/mcp"], workdirs: ["src", "docs"], readOnly: true, expires: 99 }
    const text = state.tokens.create("ci", rights, 7) ?? ""
    expect(state.tokens.find(digestOf(text))).toEqual({ name: "ci", hash: digestOf(text), ...rights })
    expect(state.tokens.list()).toEqual([{ name: "ci", created: 7, lastUsed: null, ...rights }])
    expect(state.tokens.find(digestOf(`${text}x`))).toBeNull()
    expect(state.tokens.find(digestOf(""))).toBeNull()
  })

  test("revoke() counts at once in every process that has the state open", () => {
    using gateway = openState(directory())
    using command = openState(directory())
    const text = command.tokens.create("ci", ALL, 0) ?? ""
    expect(gateway.tokens.find(digestOf(text))).not.toBeNull()
    expect(command.tokens.revoke("ci")).toBe(true)
    expect(gateway.tokens.find(digestOf(text))).toBeNull()
    expect(command.tokens.revoke("ci")).toBe(false)
  })

  test("replace() revokes the old one and works when there was none", () => {
    using state = openState(directory())
    const first = state.tokens.replace("first", ALL, 0)
    const second = state.tokens.replace("first", ALL, 1)
    expect(state.tokens.find(digestOf(first))).toBeNull()
    expect(state.tokens.find(digestOf(second))).toMatchObject({ name: "first" })
    expect(state.tokens.list()).toMatchObject([{ name: "first", created: 1 }])
  })

  test("countLive() leaves out what has expired", () => {
    using state = openState(directory())
    expect(state.tokens.countLive(0)).toBe(0)
    state.tokens.create("short", { ...ALL, expires: 10 }, 0)
    expect([state.tokens.countLive(9), state.tokens.countLive(10)]).toEqual([1, 0])
    state.tokens.create("long", ALL, 0)
    expect(state.tokens.countLive(10)).toBe(1)
  })

  test("touch() writes once a minute", () => {
    using state = openState(directory())
    state.tokens.create("ci", ALL, 0)
    const lastUsed = (): unknown => state.tokens.list()[0]?.lastUsed
    state.tokens.touch("ci", 100_000)
    state.tokens.touch("ci", 159_999)
    expect(lastUsed()).toBe(100_000)
    state.tokens.touch("ci", 160_000)
    expect(lastUsed()).toBe(160_000)
  })

  test("touch() neither waits nor throws while another process is writing", () => {
    using state = openState(directory())
    using other = openState(directory())
    state.tokens.create("ci", ALL, 0)
    const text = other.tokens.replace("held", ALL, 0)
    expect(text).toStartWith("sfs_")
    const writer = Bun.spawnSync([process.execPath, "-e", `
      import { Database } from "bun:sqlite"
      import { openState } from ${JSON.stringify(join(import.meta.dir, "../../src/state/state.ts"))}
      const db = new Database(${JSON.stringify(join(directory(), "state.db"))})
      db.run("BEGIN IMMEDIATE")
      const state = openState(${JSON.stringify(directory())})
      const before = performance.now()
      state.tokens.touch("ci", 100_000)
      console.log(performance.now() - before < 500, state.tokens.list()[0].lastUsed)
    `])
    expect(writer.stdout.toString().trim()).toBe("true null")
  })
})
