/** For each tool, calls whose paths change places with links to the outside while they are made. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Timed } from "../../hostile/calls.ts"
import { type Arena, INSIDE, LEAVES, MARK, PLACES } from "./arena.ts"

export interface Round {
  readonly args: Readonly<Record<string, unknown>>
  /** Puts things back. True when bytes of the outside have come in. */
  after?(answer: Timed): boolean
}

export interface Attack {
  readonly tool: string
  readonly mount: "/mcp" | "/files-mcp"
  /** Whether both an answer from inside and a refusal have to be seen; not so where there is no path. */
  readonly raced: boolean
  /** The next call of one caller. */
  round(arena: Arena, caller: number, n: number): Round
  /** Whether a success is one that found what is inside. */
  inside(value: Readonly<Record<string, any>>): boolean
}

const always = (): boolean => true
const placeOf = (n: number): string => PLACES[n % PLACES.length] ?? "d"
/** A file by a parent that is exchanged, or one that is exchanged itself. */
const fileOf = (n: number): string => (n % 3 === 2 ? LEAVES[n % LEAVES.length] ?? "f" : `${placeOf(n)}/${n % 3 === 0 ? "f" : "sub/f"}`)

/** What a call of this caller is about, made anew where it has gone. */
function victim(arena: Arena, caller: number, n: number, name = `victim-${caller}`): { path: string; real: string } {
  const place = placeOf(n)
  const real = join(arena.real(place), name)
  if (!existsSync(real)) {
    writeFileSync(real, INSIDE)
    arena.give(real)
  }
  return { path: `${place}/${name}`, real }
}

function directory(arena: Arena, n: number, name: string, ...below: string[]): { path: string; real: string } {
  const place = placeOf(n)
  const real = join(arena.real(place), name)
  for (const path of [real, ...below.map((each) => join(real, each))]) {
    mkdirSync(path, { recursive: true })
    arena.give(path)
  }
  return { path: `${place}/${name}`, real }
}

/** Removes what was made, wherever it was made; true when it held bytes of the outside. */
function cleared(arena: Arena, n: number, name: string): boolean {
  const made = [join(arena.real(placeOf(n)), name), join(arena.root, "kept", name)]
  const leaked = made.some((path) => existsSync(path) && holdsMark(path))
  for (const path of made) rmSync(path, { recursive: true, force: true })
  return leaked
}

function holdsMark(path: string): boolean {
  if (path.includes(MARK)) return true
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return false
  return entry.isDirectory() ? readdirSync(path).some((name) => holdsMark(join(path, name))) : readFileSync(path, "utf8").includes(MARK)
}

const onServerfs = (tool: string, round: Attack["round"], inside: Attack["inside"] = always, raced = true): Attack => ({
  tool, mount: "/mcp", raced, inside,
  round: (arena, caller, n) => {
    const { args, ...rest } = round(arena, caller, n)
    return { args: { workdir: "work", ...args }, ...rest }
  },
})
const onFiles = (tool: string, round: Attack["round"], inside: Attack["inside"] = always): Attack => ({ tool, mount: "/files-mcp", raced: true, round, inside })

export const ATTACKS: readonly Attack[] = [
  onServerfs("list_workdirs", () => ({ args: {} }), always, false),
  onServerfs("list_directory", (_arena, _caller, n) => ({ args: { path: placeOf(n) } }), ({ entries }) => entries.some(({ name }: { name: string }) => name === "sub")),
  onServerfs("find_files", (_arena, _caller, n) => ({ args: { path: n % 3 === 0 ? "" : placeOf(n), pattern: "*f" } }), ({ returned }) => returned > 0),
  onServerfs("search_text", (_arena, _caller, n) => ({ args: { path: n % 3 === 0 ? "" : placeOf(n), query: "needle", regex: n % 2 === 0, context_lines: 1 } }), ({ returned }) => returned > 0),
  onServerfs("read_text_file", (_arena, _caller, n) => ({ args: { path: fileOf(n) } }), ({ content }) => content === INSIDE),
  onServerfs("stat_file", (_arena, _caller, n) => ({ args: { path: fileOf(n) } }), ({ size }) => size === INSIDE.length),
  onServerfs("create_text_file", (arena, caller, n) => ({
    args: { path: `${placeOf(n)}/new-${caller}`, content: INSIDE },
    after: () => cleared(arena, n, `new-${caller}`),
  })),
  onServerfs("edit_text_file", (arena, caller, n) => {
    const { path, real } = victim(arena, caller, n)
    return { args: { path, expected_revision: arena.revision(real), edits: [{ old_text: "needle", new_text: "needle." }] } }
  }),
  onServerfs("delete_file", (arena, caller, n) => {
    const { path, real } = victim(arena, caller, n)
    return { args: { path, expected_revision: arena.revision(real) } }
  }),
  onServerfs("create_directory", (arena, caller, n) => ({
    args: { path: `${placeOf(n)}/new-${caller}` },
    after: () => cleared(arena, n, `new-${caller}`),
  })),
  onServerfs("delete_directory", (arena, caller, n) => {
    const { path, real } = directory(arena, n, `empty-${caller}`)
    return { args: { path, expected_revision: arena.revision(real) } }
  }),

  onFiles("create_file", (arena, caller, n) => (n % 2 === 0
    ? { args: { path: `${placeOf(n)}/new-${caller}`, content: INSIDE }, after: () => cleared(arena, n, `new-${caller}`) }
    : { args: { path: victim(arena, caller, n).path, content: INSIDE, overwrite: true } })),
  onFiles("read_file", (_arena, _caller, n) => ({ args: { path: fileOf(n) } }), ({ content }) => content === INSIDE),
  onFiles("update_file", (arena, caller, n) => ({ args: { path: victim(arena, caller, n).path, content: INSIDE } })),
  onFiles("delete_file", (arena, caller, n) => (n % 2 === 0
    ? { args: { path: victim(arena, caller, n).path } }
    : treeRound(arena, caller, n))),
  onFiles("list_dir", (_arena, _caller, n) => ({ args: { path: n % 3 === 0 ? "." : placeOf(n), recursive: n % 2 === 0, max_depth: 3 } })),
  onFiles("stat", (_arena, _caller, n) => ({ args: { path: fileOf(n) } }), ({ size }) => size === INSIDE.length),
  onFiles("search", (_arena, _caller, n) => ({ args: { path: n % 3 === 0 ? "." : placeOf(n), pattern: "*f" } }), ({ matches }) => matches.length > 0),
  onFiles("move", (arena, caller, n) => {
    const name = `moved-${caller}`
    const after = (): boolean => cleared(arena, n, name)
    if (n % 2 === 0) return { args: { src: victim(arena, caller, n).path, dst: `kept/${name}` }, after }
    writeFileSync(join(arena.root, "kept", name), INSIDE)
    return { args: { src: `kept/${name}`, dst: `${placeOf(n)}/${name}` }, after }
  }),
  onFiles("copy", (arena, caller, n) => {
    const name = `copied-${caller}`
    const after = (): boolean => cleared(arena, n, name)
    const source = n % 4 === 0 ? treeAt(arena, caller, n).path : n % 4 === 1 ? fileOf(n) : n % 4 === 2 ? "kept/f" : `${placeOf(n)}/sub`
    return { args: { src: source, dst: n % 4 === 2 ? `${placeOf(n)}/${name}` : `kept/${name}` }, after }
  }),
]

function treeAt(arena: Arena, caller: number, n: number): { path: string; real: string } {
  const tree = directory(arena, n, `tree-${caller}`, "b")
  for (const name of ["a", "b/c"]) victim(arena, caller, n, `tree-${caller}/${name}`)
  return tree
}

function treeRound(arena: Arena, caller: number, n: number): Round {
  return { args: { path: treeAt(arena, caller, n).path, recursive: true } }
}
