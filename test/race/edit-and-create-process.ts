/**
 * Edits one file and creates others without end, each acknowledged with a line on stdout: what slow-mutation-kill kills.
 * Every version of the file is one letter over and over; every created file says its own name over and over.
 */
import { edit, mutating } from "../helpers/mutate.ts"
import { bodyOf, created, versionOf } from "./versions.ts"

const [, , root = "", what, first = "0"] = process.argv
const at = mutating(root)

/** Under 64 KiB, as the pipe to the parent must never make this wait. */
const LAST = Number(first) + 400

console.log("ready")
for (let n = Number(first); n < LAST; n++) {
  if (what === "edit") await at.edit("f", [edit(versionOf(n), versionOf(n + 1))])
  else await at.create(created(n), bodyOf(n))
  process.stdout.write(`${n}\n`)
}
