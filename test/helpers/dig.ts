import { Fd } from "../../src/fs/fd.ts"
import { AT, O } from "../../src/fs/flags.ts"
import { mkdirat, openat } from "../../src/fs/libc.unsafe.ts"

/** Makes `levels` directories called `name`, each inside the one before, deeper than any path can say; an empty `leaf` in the last. */
export function dig(root: string, name: string, levels: number, leaf: string): void {
  let dir = Fd.own(openat(AT.FDCWD, root, O.RDONLY | O.DIRECTORY))
  for (let level = 0; level < levels; level++) {
    using parent = dir
    mkdirat(parent.number, name, 0o700)
    dir = Fd.own(openat(parent.number, name, O.RDONLY | O.DIRECTORY))
  }
  using last = dir
  Fd.own(openat(last.number, leaf, O.WRONLY | O.CREAT, 0o600))[Symbol.dispose]()
}
