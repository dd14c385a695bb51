import { describe, expect, test } from "bun:test"
import { chmodSync, chownSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { checkRoots } from "../../src/doctor/root/check-roots.ts"
import type { Finding } from "../../src/doctor/finding.ts"
import { examineRoot } from "../../src/doctor/root/examine.ts"
import { checkFilesystem } from "../../src/doctor/root/filesystem.ts"
import { checkSpace } from "../../src/doctor/root/space.ts"
import { checkOwners } from "../../src/doctor/root/owners.ts"
import { scratch } from "../helpers/scratch.ts"

function brief(findings: readonly Finding[]): string[] {
  return findings.map(({ level, check }) => `${level} ${check}`)
}

/** examineRoot() of somebody who is not root and owns nothing. */
function asStranger(path: string, writable: boolean): Finding[] {
  const script = `const { examineRoot } = await import(${JSON.stringify(join(import.meta.dir, "../../src/doctor/root/examine.ts"))})
    console.log(JSON.stringify(examineRoot({ name: "r", path: ${JSON.stringify(path)}, writable: ${writable} })))`
  const words = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"] : []
  return JSON.parse(Bun.spawnSync([...words, process.execPath, "-e", script]).stdout.toString())
}

describe("examineRoot()", () => {
  test("finds nothing wrong with an ordinary read-write directory, and leaves nothing behind", () => {
    using tree = scratch({ "a.txt": "x" })
    const findings = examineRoot({ name: "r", path: tree.path, writable: true })
    expect(findings.filter(({ level }) => level !== "ok")).toEqual([])
    expect(findings.filter(({ check }) => check === "guarantees")).toHaveLength(8)
    expect(readdirSync(tree.path)).toEqual(["a.txt"])
  })

  test("writes nothing in a read-only directory", () => {
    using tree = scratch()
    chmodSync(tree.path, 0o555)
    expect(brief(examineRoot({ name: "r", path: tree.path, writable: false }))).toEqual(["ok root", "ok filesystem"])
  })

  test("looks no further when it cannot be opened", () => {
    using tree = scratch({ file: "x" })
    const missing = examineRoot({ name: "r", path: tree.at("gone"), writable: true })
    expect(brief(missing)).toEqual(["error root"])
    expect(missing[0]?.fix).toContain("restart the gateway")
    expect(examineRoot({ name: "r", path: tree.at("file"), writable: true })[0]?.message).toEndWith("is not a directory")
  })
})

describe("examineRoot() of a directory that refuses", () => {
  test("names owner, mode and the user's own id where reading is refused, and who may grant it", () => {
    using tree = scratch({ "closed/inside": null })
    chmodSync(tree.path, 0o755)
    chmodSync(tree.at("closed"), process.getuid?.() === 0 ? 0o700 : 0o000)
    const [direct] = asStranger(tree.at("closed"), false)
    expect(direct?.message).toMatch(/closed cannot be read: .*closed belongs to user \d+, group \d+, mode 0[07]00, and this process is user \d+/)
    expect(direct?.fix).toMatch(/setfacl -m u:\d+:rx ".*closed"/)
    const [inside] = asStranger(tree.at("closed/inside"), false)
    expect(inside?.fix).toMatch(/setfacl -m u:\d+:x ".*closed"/)
    chmodSync(tree.at("closed"), 0o700)
  })

  test("says that a read-write directory cannot be changed, and how it could be", () => {
    using tree = scratch()
    chmodSync(tree.path, 0o555)
    const [finding] = asStranger(tree.path, true)
    expect(finding?.message).toContain("cannot be changed")
    expect(finding?.fix).toMatch(/chown -R \d+ .*; or configure it as read-only/)
  })
})

describe("checkOwners()", () => {
  test("warns of entries that an edit could not keep the owner of", () => {
    using tree = scratch({ "mine.txt": "x", "theirs.txt": "x" })
    chmodSync(tree.path, 0o777)
    const mine = process.getuid?.() === 0
    if (mine) chownSync(tree.at("mine.txt"), 65534, 65534)
    const found = asStranger(tree.path, true).find(({ check }) => check === "owners")
    expect(found?.message).toMatch(mine ? /^1 of 2 entries belong to other users/ : /^the 2 entries/)
  })

  test("has nothing to say of a read-only directory", () => {
    expect(checkOwners({ name: "r", path: "/", writable: false })).toEqual([])
  })
})

describe("checkSpace() and checkFilesystem()", () => {
  test("warn where there is no room", () => {
    expect(checkSpace({ name: "r", path: "/proc", writable: true })).toMatchObject({ level: "warning", message: "0 MiB are free" })
  })

  test("name the type, by its number when it is not known", () => {
    expect(checkFilesystem({ name: "r", path: "/dev/shm", writable: true })).toMatchObject({ level: "ok", message: "is tmpfs" })
    expect(checkFilesystem({ name: "r", path: "/proc", writable: true }).message).toBe("is of type 0x9fa0")
  })
})

describe("checkRoots()", () => {
  test("gives up on a directory that does not answer in time", async () => {
    using tree = scratch()
    const target = { name: "r", path: tree.path, writable: false }
    const [finding] = await checkRoots([target], 0)
    expect(finding).toMatchObject({ level: "error", check: "root", subject: "r" })
    expect(finding?.message).toEndWith("does not answer within 0 s")
  })

  test("keeps the order of the directories", async () => {
    using one = scratch()
    using other = scratch()
    const findings = await checkRoots([{ name: "a", path: one.path, writable: false }, { name: "b", path: other.path, writable: false }])
    expect(findings.map(({ subject }) => subject)).toEqual(["a", "a", "b", "b"])
  })
})
