/** Exchanges two names of a directory without pause, until told to stop through shared memory. */
import { AT, O } from "../../src/fs/flags.ts"
import { openat, renameat2 } from "../../src/fs/libc.unsafe.ts"

declare const self: Worker

/** renameat2(2): both names exist before and after, each time for the other. */
const RENAME_EXCHANGE = 2

self.onmessage = ({ data }: MessageEvent<{ dir: string; a: string; b: string; shared: SharedArrayBuffer }>): void => {
  const state = new Int32Array(data.shared)
  const dir = openat(AT.FDCWD, data.dir, O.RDONLY | O.DIRECTORY)
  while (Atomics.load(state, 0) === 0) {
    if (renameat2(dir, data.a, dir, data.b, RENAME_EXCHANGE) === 0) Atomics.add(state, 1, 1)
  }
  self.postMessage("stopped")
}
