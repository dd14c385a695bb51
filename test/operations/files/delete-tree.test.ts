import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { asNobody } from "../../helpers/as-nobody.ts"
import { dig } from "../../helpers/dig.ts"
import { scratch } from "../../helpers/scratch.ts"
import { filesIn, outcome, refused } from "./driver.ts"

/** For an owner who is not root: entries cannot be removed from it. */
function chmodOwn(path: string): void {
  if (process.geteuid?.() === lstatSync(path).uid) chmodSync(path, 0o555)
}

/** `count` files in directories of 100. */
function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries([...Array(count).keys()].map((at) => [`d/s${Math.floor(at / 100)}/${at}`, ""]))
}

describe("recursive delete_file", () => {
  test("takes everything: hidden, reserved, links, FIFOs, names that are no text; follows and opens nothing", async () => {
    using dir = scratch({ "out/keep": "x", "root/d/.env": "", "root/d/.serverfs-tmp-1/x": "", "root/d/e/f/g": "", "root/d/p": { fifo: true }, "root/d/l": { link: "../../out" }, "root/d/e/m": { link: "/etc" } })
    writeFileSync(Buffer.concat([Buffer.from(`${dir.at("root/d")}/n`), Buffer.from([0xff])]), "")
    mkdirSync(Buffer.concat([Buffer.from(`${dir.at("root/d/e")}/n`), Buffer.from([0xfe])]))
    expect(await filesIn(dir.at("root")).remove("d", true)).toEqual({ path: dir.at("root/d"), status: "DELETED", size: null })
    expect([readdirSync(dir.at("root")), readFileSync(dir.at("out/keep"), "utf8"), existsSync("/etc/passwd")]).toEqual([[], "x", true])
  })

  test("of a file, a FIFO or a link takes that alone", async () => {
    using dir = scratch({ f: "", p: { fifo: true }, "d/x": "", l: { link: "d" } })
    for (const path of ["f", "p", "l"]) await filesIn(dir.path).remove(path, true)
    expect([readdirSync(dir.path), readdirSync(dir.at("d"))]).toEqual([["d"], ["x"]])
    expect(await outcome(filesIn(dir.path).remove("none", true))).toBe("PATH_NOT_FOUND")
  })

  test("of a wide and of a deep tree holds few descriptors", async () => {
    using dir = scratch({ wide: null, deep: null })
    for (let at = 0; at < 1500; at++) mkdirSync(dir.at(`wide/${at}`))
    dig(dir.at("deep"), "level", 750, "leaf")
    const before = readdirSync("/proc/self/fd").length
    let most = 0
    const files = filesIn(dir.path, { watch: () => { most = Math.max(most, readdirSync("/proc/self/fd").length) } })
    for (const path of ["wide", "deep"]) await files.remove(path, true)
    expect([readdirSync(dir.path), readdirSync("/proc/self/fd").length]).toEqual([[], before])
    expect(most - before).toBeLessThan(16)
  })

  test("cancelled, or out of time, says how much was removed, and what was not is there", async () => {
    using dir = scratch(manyFiles(3000))
    const left = () => Number(execFileSync("find", [dir.at("d"), "-printf", "x"], { encoding: "utf8" }).length)
    const all = left()
    let wants = 0
    const cancelled = await refused(filesIn(dir.path, { watch: ({ kind }, call) => { if (kind === "want" && ++wants === 3) call.cancel() } }).remove("d", true))
    const removed = cancelled.about.partial?.["removed"] ?? 0
    expect([cancelled.code, removed > 0, removed + left()]).toEqual(["RESOURCE_EXHAUSTED", true, all])
    expect(cancelled.message).toContain(`${removed} entries`)
    const late = await refused(filesIn(dir.path, { ms: 5 }).remove("d", true))
    expect([late.code, removed + (late.about.partial?.["removed"] ?? 0) + left()]).toEqual(["WORKDIR_UNAVAILABLE", all])
    await filesIn(dir.path).remove("d", true)
    expect(readdirSync(dir.path)).toEqual([])
  })

  test("stops at what it may not remove, with partial", async () => {
    using dir = scratch({ "root/d/closed/x": "", "root/d/closed/y": "" })
    for (const path of ["root", "root/d"]) chmodSync(dir.at(path), 0o777)
    using _ = asNobody(dir.path)
    chmodOwn(dir.at("root/d/closed"))
    const error = await refused(filesIn(dir.at("root")).remove("d", true))
    expect([error.code, error.about.partial, error.message.includes("closed")]).toEqual(["ACCESS_DENIED", { removed: 0 }, false])
    expect(readdirSync(dir.at("root/d/closed")).sort()).toEqual(["x", "y"])
  })

  test("takes an empty directory that may not be listed", async () => {
    using dir = scratch({ "root/d/shut": null })
    for (const path of ["root", "root/d"]) chmodSync(dir.at(path), 0o777)
    chmodSync(dir.at("root/d/shut"), 0o000)
    using _ = asNobody(dir.path)
    await filesIn(dir.at("root")).remove("d", true)
    expect(readdirSync(dir.at("root"))).toEqual([])
  })

  test("of a tree that holds what is denied is DENIED_PATH, and nothing has gone", async () => {
    using dir = scratch({ "d/a": "", "d/e/f/x.secret": "", "d/z": "" })
    expect(await outcome(filesIn(dir.path, { deny: ["*.secret"] }).remove("d", true))).toBe("DENIED_PATH")
    expect([readdirSync(dir.at("d")).sort(), readdirSync(dir.at("d/e/f"))]).toEqual([["a", "e", "z"], ["x.secret"]])
  })

  test("takes what another program adds meanwhile as well", async () => {
    using dir = scratch(manyFiles(500))
    let wants = 0
    const files = filesIn(dir.path, { watch: ({ kind }) => { if (kind === "want" && ++wants < 20 && existsSync(dir.at("d"))) writeFileSync(dir.at("d", `late-${wants}`), "") } })
    await files.remove("d", true)
    expect(readdirSync(dir.path)).toEqual([])
  })

  test("reports progress that only grows", async () => {
    using dir = scratch(manyFiles(4000))
    const seen: number[] = []
    await filesIn(dir.path, { watch: (message) => { if (message.kind === "progress") seen.push(message.done) } }).remove("d", true)
    expect([seen.length > 0, seen.every((done, at) => done > (seen[at - 1] ?? 0))]).toEqual([true, true])
  })
})
