/**
 * Another thread exchanges a directory with a symlink to the outside, and a file with a symlink to a file outside,
 * without pause, while each mutation is called. Plain calls by path are the control: they escape.
 */
import { describe, expect, test } from "bun:test"
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, renameSync, rmdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { ToolError } from "../../src/errors.ts"
import { edit, mutating } from "../helpers/mutate.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { swapping } from "../helpers/swapper.ts"

const SECONDS = 60
/** What the control may do to the outside stands under names of its own. */
const CONTROL = "control"

type Mutations = ReturnType<typeof mutating>

interface Trial {
  readonly tool: string
  /** Made outside and inside alike. */
  readonly tree: Readonly<Record<string, string | null>>
  /** Puts the inside back to where a call can succeed. @param inside a path that always leads inside */
  prepare?(inside: string, dir: Scratch): void
  call(at: Mutations, round: number): Promise<unknown>
  /** The same thing done by path. */
  control(dir: Scratch, round: number): void
}

const TRIALS: readonly Trial[] = [
  {
    tool: "create_text_file",
    tree: {},
    call: (at, round) => at.create(`d/new-${round}`, "INSIDE"),
    control: (dir, round) => writeFileSync(dir.at("d", `${CONTROL}-${round}`), "x"),
  },
  {
    tool: "edit_text_file",
    tree: { f: "one", [CONTROL]: "one" },
    prepare: (inside, dir) => {
      writeFileSync(`${inside}/f`, "one")
      // A rename just after an exchange takes the link's place: another one, so that the race goes on.
      if (!["t", "tl"].some((name) => isLink(dir.at(name)))) renameSync(linkTo(dir), dir.at("tl"))
    },
    call: (at, round) => (round % 2 === 0 ? at.edit("d/f", [edit("one", "INSIDE")]) : at.edit("t", [edit("one", "one.")])),
    control: (dir) => writeFileSync(dir.at("d", CONTROL), "changed"),
  },
  {
    tool: "delete_file",
    tree: { f: "one" },
    prepare: (inside) => writeFileSync(`${inside}/f`, "one"),
    call: (at) => at.deleteFile("d/f"),
    control: (dir, round) => {
      writeFileSync(dir.at("outside-link", `${CONTROL}-${round}`), "x")
      unlinkSync(dir.at("d", `${CONTROL}-${round}`))
    },
  },
  {
    tool: "create_directory",
    tree: {},
    call: (at, round) => at.createDirectory(`d/new-${round}`),
    control: (dir, round) => mkdirSync(dir.at("d", `${CONTROL}-${round}`)),
  },
  {
    tool: "delete_directory",
    tree: { e: null },
    prepare: (inside) => mkdirSync(`${inside}/e`, { recursive: true }),
    call: (at) => at.deleteDirectory("d/e"),
    control: (dir, round) => {
      mkdirSync(dir.at("outside-link", `${CONTROL}-${round}`))
      rmdirSync(dir.at("d", `${CONTROL}-${round}`))
    },
  },
]

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

function linkTo(dir: Scratch): string {
  const path = dir.at("fresh-link")
  symlinkSync(`${readlinkSync(dir.at("outside-link"))}/target`, path)
  return path
}

/** Names, inodes, times and contents of everything outside but the control's own. */
function stateOf(outside: string): string {
  const names = readdirSync(outside).filter((name) => !name.startsWith(CONTROL)).sort()
  return JSON.stringify(names.map((name) => {
    const path = `${outside}/${name}`
    const stat = lstatSync(path, { bigint: true })
    return [name, String(stat.ino), String(stat.mode), String(stat.mtimeNs), String(stat.ctimeNs), stat.isFile() ? readFileSync(path, "utf8") : ""]
  }))
}

/** Counts the control's escapes and removes what they made. */
function escapesIn({ tool, tree }: Trial, outside: string, round: number): number {
  const name = CONTROL in tree ? CONTROL : `${CONTROL}-${round}`
  const there = readdirSync(outside).includes(name)
  if (tool.startsWith("delete")) {
    rmSync(`${outside}/${name}`, { recursive: true, force: true })
    return there ? 0 : 1
  }
  if (CONTROL in tree) {
    const changed = readFileSync(`${outside}/${name}`, "utf8") === "changed"
    writeFileSync(`${outside}/${name}`, "one")
    return changed ? 1 : 0
  }
  rmSync(`${outside}/${name}`, { recursive: true, force: true })
  return there ? 1 : 0
}

describe("under a directory/symlink and a file/symlink swap", () => {
  test.each(TRIALS.map((trial) => [trial.tool, trial] as const))("%s never changes the outside, and a plain call by path does", async (_tool, trial) => {
    using outside = scratch(trial.tree)
    outside.plant({ "target": "one" })
    const inTree = Object.fromEntries(Object.entries(trial.tree).map(([name, what]) => [`d/${name}`, what]))
    using dir = scratch({ "d": null, ...inTree, "t": "one" })
    dir.plant({ "l": { link: outside.path }, "tl": { link: outside.at("target") }, "outside-link": { link: outside.path } })
    const held = openSync(dir.at("d"), "r")
    const inside = `/proc/self/fd/${held}`
    const at = mutating(dir.path)
    const before = stateOf(outside.path)
    const seen: Record<string, number> = {}
    let escapes = 0
    {
      await using directories = swapping(dir.path, "d", "l")
      await using files = swapping(dir.path, "t", "tl")
      let round = 0
      for (const end = performance.now() + SECONDS * 1000; performance.now() < end; round++) {
        trial.prepare?.(inside, dir)
        const code = await trial.call(at, round).then(() => "done", (error) => (error instanceof ToolError ? error.code : String(error)))
        seen[code] = (seen[code] ?? 0) + 1
        if (round % 10 !== 0) continue
        try {
          trial.control(dir, round)
        } catch {
          // The name was on its way, or led inside.
        }
        escapes += escapesIn(trial, outside.path, round)
      }
      console.log(`${trial.tool}: ${JSON.stringify(seen)}, ${directories.count + files.count} exchanges, ${escapes} escapes of the control`)
      expect(directories.count).toBeGreaterThan(100_000)
    }
    closeSync(held)
    expect(stateOf(outside.path)).toBe(before)
    // It counts only if the race was really run: both answers were seen, and the control escaped.
    expect([seen["done"] !== undefined, seen["SYMLINK_NOT_ALLOWED"] !== undefined, escapes > 0]).toEqual([true, true, true])
    const expected = new Set(["done", "SYMLINK_NOT_ALLOWED", "REVISION_CONFLICT", "PATH_NOT_FOUND", "MUTATION_IO_ERROR", "FILE_CHANGED_DURING_READ", "NOT_A_DIRECTORY", "PARENT_NOT_FOUND"])
    expect(Object.keys(seen).filter((code) => !expected.has(code))).toEqual([])
  }, (SECONDS + 60) * 1000)
})
