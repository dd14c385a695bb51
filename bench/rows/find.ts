/** One name among all of a large tree, warm: against find(1) and the official server. */
import { startGateway, workdirs } from "../lib/gateway.ts"
import { openTimed } from "../lib/load.ts"
import { startOfficial } from "../lib/official.ts"
import { atMost, type Bench, ms, type Row } from "../lib/row.ts"
import { timedCommand } from "../lib/commands.ts"
import { compare, takeTurns } from "../lib/turns.ts"

const NAME = "fork.c"

export async function* find({ tree, scratch, pairs }: Bench): AsyncGenerator<Row> {
  await using product = await startGateway({ scratch, env: workdirs({ tree }) })
  using ours = await openTimed(product.mcp)
  const found = () => ours.call({ tool: "find_files", args: { workdir: "tree", pattern: NAME } })
  yield atMost(1.5, "find_files, one name in the tree", compare(await takeTurns(pairs, found, () => timedCommand(["find", tree, "-name", NAME])), Number), ms, "find -name")

  await using official = await startOfficial(scratch, tree)
  using theirs = await openTimed(official.endpoint)
  const searched = () => theirs.call({ tool: "search_files", args: { path: tree, pattern: `**/${NAME}` } })
  yield atMost(1 / 60, "find_files, one name in the tree", compare(await takeTurns(pairs, found, searched), Number), ms, "official")
}
