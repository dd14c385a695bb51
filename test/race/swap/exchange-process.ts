/** A process that exchanges pairs of names without pause (renameat2 RENAME_EXCHANGE), and says how often when it is told to end. */
import { AT, O, RENAME_EXCHANGE } from "../../../src/fs/flags.ts"
import { openat, renameat2 } from "../../../src/fs/libc.unsafe.ts"

const [root = "", pairs = "[]"] = process.argv.slice(2)
const dir = openat(AT.FDCWD, root, O.RDONLY | O.DIRECTORY)
const names = JSON.parse(pairs) as [string, string][]
/** Between two looks at whether it is to end. */
const BATCH = 1000

let count = 0
const ended = new AbortController()
process.on("SIGTERM", () => ended.abort())
while (!ended.signal.aborted) {
  for (let i = 0; i < BATCH; i++) {
    for (const [a, b] of names) if (renameat2(dir, a, dir, b, RENAME_EXCHANGE) === 0) count++
  }
  await Bun.sleep(0)
}
console.log(count)
