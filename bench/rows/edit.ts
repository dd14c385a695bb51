/** edit_text_file, one client, against the least that such a change can be: temp + write + fsync + rename + fsync(dir). */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { answerOf } from "../lib/ceiling.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { EditingClient } from "../lib/editing-client.ts"
import { type Bench, perSecond, type Row } from "../lib/row.ts"
import { compare, takeTurns } from "../lib/turns.ts"

const EDITS = 100
const FILE_BYTES = 20_000
/** What the target is said for: on a faster disk the call itself is what is measured. */
const SLOW_DISK_MS = 2

export async function* edit({ scratch, pairs }: Bench): AsyncGenerator<Row> {
  const root = join(scratch, "edit")
  mkdirSync(root)
  const text = `first ${"x".repeat(FILE_BYTES)}\n`
  for (const name of ["ours.txt", "theirs.txt"]) writeFileSync(join(root, name), text)
  await using product = await startGateway({ scratch, env: workdirs({ edit: root }) })
  const { revision } = await answerOf(product.mcp, { tool: "stat_file", args: { workdir: "edit", path: "ours.txt" } })
  using client = await EditingClient.open(product.mcp, { workdir: "edit", path: "ours.txt" }, String(revision), ["first", "other"])
  const rate = (milliseconds: number) => (EDITS * 1000) / milliseconds
  const ours = async () => {
    const begin = performance.now()
    for (let i = 0; i < EDITS; i++) await client.edit()
    return rate(performance.now() - begin)
  }
  const compared = compare(await takeTurns(pairs, ours, () => rate(bareEdits(root))), Number)
  const loopMs = 1000 / compared.theirs
  const met = compared.ratio >= 0.8
  yield { work: `edit_text_file, 20 KB, one client${loopMs < SLOW_DISK_MS ? " (this disk is faster than the 2 ms of the target)" : ""}`, ours: perSecond(compared.ours), reference: `${perSecond(compared.theirs)} bare loop`, ratio: compared.ratio, target: "≥ 0.8×", met }
}

function bareEdits(root: string): number {
  const path = join(root, "theirs.txt"), temp = join(root, "temp")
  const directory = openSync(root, "r")
  const begin = performance.now()
  for (let i = 0; i < EDITS; i++) {
    const bytes = readFileSync(path)
    const fd = openSync(temp, "wx")
    writeSync(fd, bytes)
    fsyncSync(fd)
    closeSync(fd)
    renameSync(temp, path)
    fsyncSync(directory)
  }
  const taken = performance.now() - begin
  closeSync(directory)
  return taken
}
