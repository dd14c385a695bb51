/** A 90 KB file in one call, from each service: against a no-op whose answer is as large, and against the official server. */
import { join } from "node:path"
import { answerOf, startCeiling } from "../lib/ceiling.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { drive } from "../lib/load.ts"
import { startOfficial } from "../lib/official.ts"
import { toolCall } from "../lib/requests.ts"
import { atLeast, type Bench, perSecond, type Row } from "../lib/row.ts"
import { compare, takeTurns } from "../lib/turns.ts"

/** Fewer calls than elsewhere: each carries 180 KB. */
const FEWER = 10
const PATH = "kernel/fork.c"

export async function* wholeFile({ tree, scratch, pairs, calls }: Bench): AsyncGenerator<Row> {
  // The Files root must be apart from the workdirs.
  const root = join(scratch, "whole-file")
  await Bun.write(join(root, PATH), Bun.file(join(tree, PATH)))
  const env = { ...workdirs({ tree }), FILES_MCP_ROOT: root, SERVERFS_MAX_READ_LINES: "5000" }
  await using product = await startGateway({ scratch, env })
  const fromServerfs = { tool: "read_text_file", args: { workdir: "tree", path: PATH, max_lines: 5000 } }
  const fromFiles = { tool: "read_file", args: { path: PATH } }
  await using ceiling = await startCeiling(scratch, env, {
    read_text_file: await answerOf(product.mcp, fromServerfs),
    read_file: await answerOf(product.files, fromFiles),
  })
  await using official = await startOfficial(scratch, tree)

  const n = Math.ceil(calls / FEWER)
  const theirs = () => drive(official.endpoint, toolCall(official.endpoint, "legacy", { tool: "read_text_file", args: { path: join(tree, PATH) } }), n)
  for (const [mount, call] of [["mcp", fromServerfs], ["files", fromFiles]] as const) {
    const ours = () => drive(product[mount], toolCall(product[mount], "legacy", call), n)
    const noOp = () => drive(ceiling[mount], toolCall(ceiling[mount], "legacy", call), n)
    const work = `${call.tool}, 90 KB whole: calls/s`
    const overNoOp = compare(await takeTurns(pairs, ours, noOp), ({ callsPerSecond }) => callsPerSecond)
    yield atLeast(0.7, work, overNoOp, perSecond, "no-op")
    const overOfficial = compare(await takeTurns(pairs, ours, theirs), ({ callsPerSecond }) => callsPerSecond)
    yield atLeast(3, work, overOfficial, perSecond, "official")
  }
}
