/** A shell as a reader of the README has it, in a home of its own: `serverfs` and `bun` on PATH, nothing configured. */
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { type Scratch, scratch } from "../helpers/scratch.ts"

export const PROJECT = join(import.meta.dir, "../..")

export interface Outcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface Shell extends Disposable {
  readonly home: Scratch
  readonly env: Readonly<Record<"HOME" | "PATH" | "SERVERFS_STATE_DIR", string>>
  /** Runs a command line to its end, in the home directory's `here`. */
  run(line: string, env?: Readonly<Record<string, string>>): Promise<Outcome>
}

export function openShell(): Shell {
  const home = scratch({ here: null, bin: null, state: null })
  symlinkSync(join(PROJECT, "bin/serverfs"), home.at("bin/serverfs"))
  symlinkSync(process.execPath, home.at("bin/bun"))
  mkdirSync(home.at("state/serverfs"), { mode: 0o700 })
  const env = { HOME: home.path, PATH: `${home.at("bin")}:${process.env["PATH"]}`, SERVERFS_STATE_DIR: home.at("state/serverfs") }
  return {
    home,
    env,
    run: async (line, more = {}) => {
      const child = Bun.spawn(["sh", "-c", line], { cwd: home.at("here"), env: { ...env, ...more }, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
      const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return { status, stdout, stderr }
    },
    [Symbol.dispose]: () => home[Symbol.dispose](),
  }
}
