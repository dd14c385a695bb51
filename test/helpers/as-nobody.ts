import { chmodSync } from "node:fs"

const NOBODY = 65_534

/** To the end of the scope this process may no more than an ordinary user: permissions don't bind root. `dir` is opened up for it. */
export function asNobody(dir: string): Disposable {
  chmodSync(dir, 0o755)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  return { [Symbol.dispose]: () => { if (isRoot) process.seteuid?.(0) } }
}
