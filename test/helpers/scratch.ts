/** Real trees in a directory of their own, gone at the end of the scope. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** `text` or bytes = a file; null = a directory; { link } = a symlink; "fifo" is said as { fifo: true }. */
export type Planted = string | Uint8Array | null | { readonly link: string } | { readonly fifo: true }

export interface Scratch extends Disposable {
  /** Real path of the directory. */
  readonly path: string
  at(...names: string[]): string
  plant(tree: Readonly<Record<string, Planted>>): void
}

export function scratch(tree: Readonly<Record<string, Planted>> = {}): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "serverfs-test-")))
  const at = (...names: string[]): string => join(path, ...names)
  const made: Scratch = {
    path,
    at,
    plant: (more) => {
      for (const [name, what] of Object.entries(more)) plantOne(at(name), what)
    },
    [Symbol.dispose]: () => {
      try {
        rmSync(path, { recursive: true, force: true })
      } catch {
        // A test may have taken rights from itself, which keeps an ordinary user from removing what is below.
        execFileSync("chmod", ["-R", "u+rwX", path])
        rmSync(path, { recursive: true, force: true })
      }
    },
  }
  made.plant(tree)
  return made
}

function plantOne(at: string, what: Planted): void {
  mkdirSync(what === null ? at : dirname(at), { recursive: true })
  if (what === null) return
  if (typeof what === "string" || what instanceof Uint8Array) writeFileSync(at, what)
  else if ("link" in what) symlinkSync(what.link, at)
  else execFileSync("mkfifo", [at])
}
