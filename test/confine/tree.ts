/** Directories that a confined process is given, and some that it is not. Open to every user, so that only the kernel's rules can refuse. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Confinable } from "../../src/confine/rules.ts"

export type Mode = "auto" | "required" | "off"

export interface Tree extends Disposable {
  readonly base: string
  readonly outside: string
  readonly readOnly: string
  readonly writable: string
  readonly files: string
  readonly config: (mode: Mode, port?: number) => Confinable & { confine: Mode }
}

const POLICY = { allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: [] }

/** In each directory: files `f0` to `f15`, so that every attempt has its own; `dir/` and `empty/`. */
function plant(dir: string): string {
  mkdirSync(dir)
  for (let i = 0; i < 16; i++) {
    writeFileSync(join(dir, `f${i}`), "needle\n")
    chmodSync(join(dir, `f${i}`), 0o666)
  }
  for (const name of ["dir", "empty", "."]) {
    mkdirSync(join(dir, name), { recursive: true })
    chmodSync(join(dir, name), 0o777)
  }
  return dir
}

export function makeTree(): Tree {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "serverfs-confine-")))
  chmodSync(base, 0o777)
  const [outside, readOnly, writable, files, state, audit] = ["outside", "ro", "rw", "files", "state", "audit"].map((name) => plant(join(base, name)))
  if (!outside || !readOnly || !writable || !files || !state || !audit) throw new Error("no tree")
  const workdir = (alias: string, root: string, isReadOnly: boolean) => ({ alias, root, description: null, readOnly: isReadOnly, policy: POLICY })
  return {
    base, outside, readOnly, writable, files,
    config: (confine, port = 0) => ({
      confine,
      host: "127.0.0.1",
      port,
      stateDir: state,
      auditFile: { path: join(audit, "audit.log"), maxBytes: 1_000_000, keep: 1 },
      metrics: null,
      workdirs: [workdir("ro", readOnly, true), workdir("rw", writable, false)],
      files: { root: files, configuredRoot: files, maxBytes: 1, maxEntries: 1, readOnly: false, extraDenyGlobs: [] },
    }),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}
