/** A tree as callers and the operator see it, and how far it is on the way from one state to another. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isReserved } from "../../src/workdir/reserved.ts"
import { xattrsOf } from "../helpers/xattrs.ts"

/** Before this moment (ms) a time was planted; a later one is that of the run, and no two runs have the same. */
const PLANTED_BEFORE = 1_100_000_000_000

export interface Tree {
  /** What there is to say of each visible entry, by path. */
  readonly entries: ReadonlyMap<string, string>
  /** Reserved names, without what is below them. */
  readonly reserved: number
  /** All names, those below reserved ones too. */
  readonly count: number
}

export function treeOf(root: string): Tree {
  const names = namesIn(root)
  const seen = names.filter((name) => !name.split("/").some(isReserved))
  const reserved = names.filter((name) => isReserved(basename(name)) && !dirname(name).split("/").some(isReserved))
  return { entries: new Map(seen.map((name) => [name, describe(join(root, name))])), reserved: reserved.length, count: names.length }
}

/** Paths of all that is below a directory, parents first. Not readdir's own recursion, which enters links to directories. */
export function namesIn(root: string, below = ""): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    return entry.isDirectory() ? [path, ...namesIn(root, path)] : [path]
  })
}

function describe(path: string): string {
  const stat = lstatSync(path)
  const content = stat.isFile() ? [readFileSync(path, "utf8"), xattrsOf(path)] : stat.isSymbolicLink() ? readlinkSync(path) : ""
  const time = stat.mtimeMs < PLANTED_BEFORE ? stat.mtimeMs : "now"
  return JSON.stringify([stat.mode, stat.uid, stat.gid, content, time])
}

export function same(a: Tree, b: Tree): boolean {
  return a.entries.size === b.entries.size && [...a.entries].every(([name, entry]) => b.entries.get(name) === entry)
}

/** All that is to be is there, and of what is to go some may be left, as it was. A directory's time changes with what it loses. */
export function isRemoving(before: Tree, done: Tree, now: Tree): boolean {
  const complete = [...done.entries].every(([name, entry]) => now.entries.get(name) === entry)
  return complete && [...now.entries].every(([name, entry]) => done.entries.has(name) || timeless(before.entries.get(name)) === timeless(entry))
}

function timeless(entry: string | undefined): string | undefined {
  return entry?.replace(/,[^,]*$/, "")
}
