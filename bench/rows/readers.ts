/** Sixteen readers, while one client edits in another workdir or in the same one, against the readers alone. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answerOf } from "../lib/ceiling.ts"
import { EditingClient } from "../lib/editing-client.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { drive, p } from "../lib/load.ts"
import { toolCall } from "../lib/requests.ts"
import { atMost, type Bench, ms, type Row } from "../lib/row.ts"
import { compare, takeTurns } from "../lib/turns.ts"

const P99_LIMIT = 3
const TEXT = "first line\n"

export async function* readers({ scratch, pairs, calls }: Bench): AsyncGenerator<Row> {
  const directories: Record<string, string> = {}
  for (const alias of ["here", "there"]) {
    const root = (directories[alias] = join(scratch, `readers-${alias}`))
    mkdirSync(root)
    for (const name of ["read.txt", "edit.txt"]) writeFileSync(join(root, name), TEXT)
  }
  await using product = await startGateway({ scratch, env: workdirs(directories) })
  const request = toolCall(product.mcp, "legacy", { tool: "read_text_file", args: { workdir: "here", path: "read.txt" } })
  const alone = () => drive(product.mcp, request, calls)

  for (const [where, alias, p90Limit] of [["another", "there", 1.5], ["the same", "here", 2]] as const) {
    const file = { workdir: alias, path: "edit.txt" }
    const { revision } = await answerOf(product.mcp, { tool: "stat_file", args: file })
    using editor = await EditingClient.open(product.mcp, file, String(revision), ["first", "other"])
    const disturbed = async () => {
      const over = new AbortController()
      const editing = editor.editUntil(over.signal)
      const load = await drive(product.mcp, request, calls)
      over.abort()
      await editing
      return load
    }
    const turns = await takeTurns(pairs, disturbed, alone)
    const work = `16 readers while one edits in ${where} workdir`
    yield atMost(p90Limit, `${work}: p90`, compare(turns, p(0.9)), ms, "alone")
    yield atMost(P99_LIMIT, `${work}: p99`, compare(turns, p(0.99)), ms, "alone")
  }
}
