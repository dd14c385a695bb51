/** kill -9 at random moments while files are edited and created: nothing but whole versions, and debris that no channel shows. */
import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { findFiles } from "../../src/operations/find-files.ts"
import { listDirectory } from "../../src/operations/list-directory.ts"
import { isReserved } from "../../src/workdir/reserved.ts"
import { codeOf, inLane, settingsOf } from "../helpers/in-lane.ts"
import { edit, mutating } from "../helpers/mutate.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { bodyOf, created, versionOf } from "./versions.ts"

const CHANGES = 500
/** Between two kills. */
const MOST_CHANGES = 15
const MOST_MS = 10
const MINUTES = 60_000

/** Runs until it is killed: a random time after a random number of changes, so that a slow machine makes progress too. Returns the last change that was acknowledged, null when none was. */
async function runAndKill(dir: Scratch, what: "edit" | "create", first: number): Promise<number | null> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "edit-and-create-process.ts"), dir.path, what, String(first)], { stdout: "pipe", stderr: "inherit" })
  const enough = Math.floor(Math.random() * MOST_CHANGES)
  let text = "", told = false
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (told || text.split("\n").length < enough + 2) continue
    told = true
    setTimeout(() => child.kill("SIGKILL"), Math.random() * MOST_MS)
  }
  await child.exited
  const acknowledged = text.split("\n").slice(1, -1)
  return acknowledged.length === 0 ? null : Number(acknowledged.at(-1))
}

function debrisOf(dir: Scratch): string[] {
  return readdirSync(dir.path).filter(isReserved)
}

async function assertInvisible(dir: Scratch, debris: readonly string[]): Promise<void> {
  const settings = settingsOf(dir.path)
  const listed = await inLane(settings, listDirectory, { path: "", offset: 0, limit: 10_000 })
  const found = await inLane(settings, findFiles, { pattern: "*", path: "", limit: 10_000, type: "any" })
  expect([...listed.entries.map(({ name }) => name), ...found.paths].filter(isReserved)).toEqual([])
  const at = mutating(dir.path)
  for (const name of debris) {
    for (const call of [at.revision(name), at.edit(name, [edit("a", "b")], "v1:0"), at.deleteFile(name, "v1:0"), at.create(name)]) expect(await codeOf(call)).toBe("RESERVED_PATH")
  }
}

describe("kill -9", () => {
  test(`during ${CHANGES} edits leaves one of the submitted versions whole`, async () => {
    using dir = scratch({ f: versionOf(0) })
    let version = 0, kills = 0, unacknowledged = 0
    for (; version < CHANGES; kills++) {
      const acknowledged = await runAndKill(dir, "edit", version)
      const content = readFileSync(dir.at("f"), "utf8")
      const now = Number(/^version (\d+)\n/.exec(content)?.[1])
      expect(content === versionOf(now)).toBe(true)
      // What was acknowledged is there; at most one change more may have been made.
      const least = acknowledged === null ? version : acknowledged + 1
      expect([least, least + 1]).toContain(now)
      if (now > least) unacknowledged++
      version = now
    }
    const debris = debrisOf(dir)
    await assertInvisible(dir, debris)
    console.log(`${version} edits, ${kills} kills, ${unacknowledged} changes made and not acknowledged, ${debris.length} temporary files left`)
    expect(kills).toBeGreaterThan(20)
  }, 10 * MINUTES)

  test(`during ${CHANGES} creates leaves no file that is not whole`, async () => {
    using dir = scratch()
    let next = 0, kills = 0, unacknowledged = 0
    for (; next < CHANGES; kills++) {
      const acknowledged = await runAndKill(dir, "create", next)
      const least = acknowledged === null ? next : acknowledged + 1
      const names = readdirSync(dir.path).filter((name) => !isReserved(name))
      for (let n = next; n < names.length; n++) expect(readFileSync(dir.at(created(n)), "utf8") === bodyOf(n)).toBe(true)
      expect([least, least + 1]).toContain(names.length)
      if (names.length > least) unacknowledged++
      next = names.length
    }
    const debris = debrisOf(dir)
    await assertInvisible(dir, debris)
    console.log(`${next} creates, ${kills} kills, ${unacknowledged} made and not acknowledged, ${debris.length} temporary files left`)
    expect(kills).toBeGreaterThan(20)
  }, 10 * MINUTES)
})
