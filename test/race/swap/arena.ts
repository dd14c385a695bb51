/** Where the race is run: a tree whose names change places with links to the outside, and an outside that must stay as it is. */
import { createHash } from "node:crypto"
import { chmodSync, chownSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { revisionOf } from "../../../src/workdir/revision.ts"
import { type Scratch, scratch } from "../../helpers/scratch.ts"

/** In every file of the outside and one of its names, and nowhere else. */
export const MARK = "BEYOND"
export const INSIDE = "needle INSIDE\n"
/** No file inside has this size. */
export const OUTSIDE_BYTES = 7777
/** As many callers, each with names of its own. */
export const CALLERS = 8

/** Either name of a pair is the directory now, the other a link to the outside. */
export const PLACES = ["d", "l", "deep/x", "deep/y"] as const
export const LEAVES = ["f", "fl"] as const
export const PAIRS = [["d", "l"], ["deep/x", "deep/y"], ["f", "fl"]] as const

export interface Arena extends Disposable {
  readonly root: string
  readonly state: string
  /** The directory that `place` is when it is no link, by a path that no exchange changes. */
  real(place: string): string
  /** Its revision as the product would give it. */
  revision(path: string): string
  /** Makes it belong to whom the product runs as. */
  give(path: string): void
  /** What of the outside has changed since the start; "" for nothing. */
  changed(): string
}

const text = (mark: string, bytes: number): string => `needle ${mark}\n`.padEnd(bytes, "x")

/** @param uid whom the product runs as */
export function createArena(uid: number): Arena {
  const home = scratch({ root: null, outside: null, state: null })
  const give = (path: string): void => { if (process.getuid?.() === 0) chownSync(path, uid, uid) }
  const write = (path: string, content: string): void => {
    writeFileSync(path, content)
    give(path)
  }
  const directory = (...paths: string[]): void => {
    for (const path of paths) {
      mkdirSync(path, { recursive: true })
      give(path)
    }
  }
  chmodSync(home.path, 0o755)
  chmodSync(home.at("state"), 0o700)
  directory(home.at("root"), home.at("outside"), home.at("state"), home.at("root/kept"), home.at("root/deep"))
  plantOutside(home, write, directory)
  for (const place of ["d", "deep/x"]) {
    directory(home.at("root", place), home.at("root", place, "sub"))
    write(home.at("root", place, "f"), INSIDE)
    write(home.at("root", place, "sub/f"), INSIDE)
  }
  write(home.at("root/f"), INSIDE)
  write(home.at("root/kept/f"), INSIDE)
  symlinkSync(home.at("outside"), home.at("root/l"))
  symlinkSync(home.at("outside"), home.at("root/deep/y"))
  symlinkSync(home.at("outside/f"), home.at("root/fl"))

  const held = { top: openSync(home.at("root/d"), "r"), deep: openSync(home.at("root/deep/x"), "r") }
  const before = snapshot(home.at("outside"))
  return {
    root: home.at("root"),
    state: home.at("state"),
    real: (place) => `/proc/self/fd/${place.startsWith("deep") ? held.deep : held.top}`,
    revision: (path) => revisionOf(identityOf(path)),
    give,
    changed: () => difference(before, snapshot(home.at("outside"))),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  }
}

/** Everything that is asked for inside has a namesake outside, but for what is to be created. */
function plantOutside(home: Scratch, write: (path: string, content: string) => void, directory: (...paths: string[]) => void): void {
  const outside = (name: string): string => home.at("outside", name)
  directory(outside("sub"), outside(MARK))
  for (const name of ["f", "sub/f", `${MARK}-f`]) write(outside(name), text(MARK, OUTSIDE_BYTES))
  for (let caller = 0; caller < CALLERS; caller++) {
    write(outside(`victim-${caller}`), text(MARK, OUTSIDE_BYTES))
    directory(outside(`empty-${caller}`), outside(`tree-${caller}`), outside(`tree-${caller}/b`))
    for (const name of ["a", "b/c"]) write(outside(`tree-${caller}/${name}`), text(MARK, OUTSIDE_BYTES))
  }
}

function identityOf(path: string) {
  const stat = lstatSync(path, { bigint: true })
  return {
    dev: stat.dev, ino: stat.ino, mode: Number(stat.mode), uid: Number(stat.uid), gid: Number(stat.gid), size: stat.size,
    mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs, nlink: Number(stat.nlink),
  }
}

/** All that a change could show in, but for the time of the last read. */
function snapshot(top: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string): void => {
    const { dev: _, ...identity } = identityOf(path)
    const type = lstatSync(path)
    const content = type.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : type.isSymbolicLink() ? readlinkSync(path) : ""
    found.set(path, JSON.stringify({ ...identity, content }, (_key, value) => (typeof value === "bigint" ? String(value) : value)))
    if (type.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name))
  }
  visit(top)
  return found
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).map((path) => `${path}: ${before.get(path) ?? "absent"} → ${after.get(path) ?? "absent"}`).join("\n")
}
