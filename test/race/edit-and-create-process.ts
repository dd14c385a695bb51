/**
 * Edits one file, or creates one after another, each change acknowledged with a line on stdout: what slow-mutation-kill
 * kills and crash-image cuts off.
 */
import { edit, mutating } from "../helpers/mutate.ts"
import { bodyOf, created, versionOf } from "./versions.ts"

const [, , root = "", what, first = "0"] = process.argv
// A change whose directory could not be flushed succeeds, and may not survive a crash: it is told to the operator instead.
const at = mutating(root, {}, () => process.exit(1))

/** Under 64 KiB, as the pipe to the parent must never make this wait. */
const LAST = Number(first) + 400

console.log("ready")
for (let n = Number(first); n < LAST; n++) {
  if (what === "edit") await at.edit("f", [edit(versionOf(n), versionOf(n + 1))])
  else await at.create(created(n), bodyOf(n))
  process.stdout.write(`${n}\n`)
}
