/** Many callers at once, through the real lanes and their lock. */
import { describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { ToolError } from "../../src/errors.ts"
import type { DirectoryLanes } from "../../src/lane/directory-lanes.ts"
import { Lanes } from "../../src/lane/lanes.ts"
import type { LaneContext } from "../../src/lane/pending-call.ts"
import { settingsOf } from "../helpers/in-lane.ts"
import { edit } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"

const ROUNDS = 200
const CALLERS = 50
const MINUTES = 60_000

const context = (): LaneContext => ({ signal: new AbortController().signal, deadline: performance.now() + 55_000 })

function opened(path: string) {
  const lanes = new Lanes(() => {}, "rg")
  return { lanes: lanes.add(settingsOf(path)), [Symbol.dispose]: () => lanes.close() }
}

const revisionOf = async (lanes: DirectoryLanes, path: string) => (await lanes.read("statFile", { path }, context())).revision

/** How often each answer came; "done" for a success. */
async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const seen: Record<string, number> = {}
  for (const call of calls) {
    const code = await call.then(() => "done", (error) => (error instanceof ToolError ? error.code : String(error)))
    seen[code] = (seen[code] ?? 0) + 1
  }
  return seen
}

describe("mutations at once", () => {
  test(`${CALLERS} edits with one revision: exactly one wins, ${ROUNDS} rounds`, async () => {
    using dir = scratch({ f: "start" })
    using at = opened(dir.path)
    let content = "start"
    for (let round = 0; round < ROUNDS; round++) {
      const expectedRevision = await revisionOf(at.lanes, "f")
      const calls = Array.from({ length: CALLERS }, (_, caller) =>
        at.lanes.mutate("editTextFile", { path: "f", expectedRevision, edits: [edit(content, `${round}/${caller}`)], dryRun: false }, context()))
      expect(await tally(calls)).toEqual({ done: 1, REVISION_CONFLICT: CALLERS - 1 })
      content = readFileSync(dir.at("f"), "utf8")
      expect(content).toStartWith(`${round}/`)
    }
  }, 5 * MINUTES)

  test(`an edit against a delete, ${ROUNDS} rounds: one wins, and what the loser saw is gone`, async () => {
    using dir = scratch()
    using at = opened(dir.path)
    const winners = { edit: 0, delete: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      dir.plant({ f: "one" })
      const expectedRevision = await revisionOf(at.lanes, "f")
      const editing = () => at.lanes.mutate("editTextFile", { path: "f", expectedRevision, edits: [edit("one", "two")], dryRun: false }, context())
      const deleting = () => at.lanes.mutate("deleteFile", { path: "f", expectedRevision }, context())
      const seen = await tally(round % 2 === 0 ? [editing(), deleting()] : [deleting(), editing()])
      const edited = seen["REVISION_CONFLICT"] === 1
      expect(seen).toEqual(edited ? { done: 1, REVISION_CONFLICT: 1 } : { done: 1, PATH_NOT_FOUND: 1 })
      if (edited) expect(readFileSync(dir.at("f"), "utf8")).toBe("two")
      winners[edited ? "edit" : "delete"]++
      rmSync(dir.at("f"), { force: true })
    }
    expect([winners.edit > 0, winners.delete > 0]).toEqual([true, true])
  }, 5 * MINUTES)

  test(`two creates of one path, ${ROUNDS} rounds: one wins`, async () => {
    using dir = scratch()
    using at = opened(dir.path)
    for (let round = 0; round < ROUNDS; round++) {
      const path = `f${round}`
      const calls = ["one", "two"].map((content) => at.lanes.mutate("createTextFile", { path, content }, context()))
      expect(await tally(calls)).toEqual({ done: 1, PATH_ALREADY_EXISTS: 1 })
      expect(["one", "two"]).toContain(readFileSync(dir.at(path), "utf8"))
    }
  }, 5 * MINUTES)

  test("readers of a file that is edited see a version whole, with its own revision", async () => {
    const line = (letter: string) => `${letter.repeat(99)}\n`
    const versions = ["a", "b"].map((letter) => line(letter).repeat(4000))
    using dir = scratch({ f: versions[0] ?? "" })
    using at = opened(dir.path)
    const over = new AbortController()
    const seen = { a: 0, b: 0, changed: 0, mixed: 0 }
    const revisions = new Map<string, string>()
    const reader = async () => {
      while (!over.signal.aborted) {
        const page = await at.lanes.read("readText", { path: "f", from: { line: 1 }, maxLines: 500_000, known: null }, context()).catch((error: ToolError) => error)
        if (page instanceof ToolError) {
          seen[page.code === "FILE_CHANGED_DURING_READ" ? "changed" : "mixed"]++
          continue
        }
        const content = page.content.decode()
        const letter = content.slice(0, 1) === "a" ? "a" : "b"
        const whole = content === versions[letter === "a" ? 0 : 1]
        const known = revisions.get(page.revision) ?? letter
        revisions.set(page.revision, letter)
        seen[whole && known === letter ? letter : "mixed"]++
      }
    }
    const readers = [reader(), reader(), reader()]
    for (let round = 0; round < 300; round++) {
      const [from, to] = round % 2 === 0 ? ["a", "b"] as const : ["b", "a"] as const
      const expectedRevision = await revisionOf(at.lanes, "f")
      await at.lanes.mutate("editTextFile", { path: "f", expectedRevision, edits: [edit(line(from), line(to), 4000)], dryRun: false }, context())
    }
    over.abort()
    await Promise.all(readers)
    console.log(`readers saw ${JSON.stringify(seen)}`)
    expect(seen.mixed).toBe(0)
    expect([seen.a > 0, seen.b > 0]).toEqual([true, true])
  }, 5 * MINUTES)
})
