/**
 * Runs mutations on request, each between two marks that strace can see: the sweep's tracee. A request is a line of JSON
 * on stdin, the answer a line on stdout.
 */
import { readlinkat } from "../../src/fs/libc.unsafe.ts"
import { MARK_BEGIN, MARK_END, type Request } from "./messages.ts"
import { perform } from "./perform.ts"

const NO_DIRECTORY = -1

const mark = (name: string): number => readlinkat(NO_DIRECTORY, name, new Uint8Array(1))

console.log("ready")
for await (const line of console) {
  const request = JSON.parse(line) as Request
  mark(MARK_BEGIN)
  const response = await perform(request)
  mark(MARK_END)
  console.log(JSON.stringify(response))
}
