/** Starts attempting-process.ts and reads its answers. */
import { join } from "node:path"
import { rgPath } from "@vscode/ripgrep"
import type { Confinement } from "../../src/confine/confinement.ts"
import type { Attempt } from "./attempting-process.ts"
import type { Mode, Tree } from "./tree.ts"

/** Words that drop root's privileges; an ordinary user runs the tests as itself. */
export const USERS: Readonly<Record<string, readonly string[]>> = process.getuid?.() === 0
  ? { root: [], "an ordinary user": ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"] }
  : { "the user of the tests": [] }

export interface Answers {
  readonly confinement: Confinement
  readonly answers: readonly string[]
}

export interface Run {
  /** Words before the program's own, such as those of USERS. */
  readonly words?: readonly string[]
  readonly mode?: Mode
  readonly tree: Tree
  readonly attempts: readonly Attempt[]
  /** Where tools find their libraries. */
  readonly libraries?: string
  /** Behave as on a kernel of this Landlock ABI. */
  readonly abi?: number
}

export function runAttempts({ words = [], mode = "required", tree, attempts, libraries = "", abi }: Run): Answers {
  const told = JSON.stringify({ config: tree.config(mode), ripgrep: rgPath, connectsOut: false, attempts, abi })
  const { stdout, stderr } = Bun.spawnSync([...words, process.execPath, join(import.meta.dir, "attempting-process.ts"), told], {
    env: { PATH: process.env.PATH, TOOL_LIBRARIES: libraries },
  })
  if (stdout.length === 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString())
}
