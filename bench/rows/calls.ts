/** The three common reads, in each era: against the official server, and against the same stack with tools that do nothing. */
import { join } from "node:path"
import { answerOf, startCeiling } from "../lib/ceiling.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { drive, type Load, p } from "../lib/load.ts"
import { startOfficial } from "../lib/official.ts"
import { type Endpoint, ERAS, type ToolCall, toolCall } from "../lib/requests.ts"
import { atLeast, atMost, type Bench, ms, perSecond, type Row } from "../lib/row.ts"
import { compare, takeTurns, type Turn } from "../lib/turns.ts"

/** The official server is this much slower: fewer of its calls take as long. */
const FEWER = 10

interface Work {
  readonly name: string
  readonly ours: ToolCall
  readonly official: ToolCall
}

function worksOn(tree: string): Work[] {
  const path = "kernel/fork.c"
  const listed = { workdir: "tree", path: "kernel", limit: 137 }
  return [
    { name: "stat_file", ours: { tool: "stat_file", args: { workdir: "tree", path } }, official: { tool: "get_file_info", args: { path: join(tree, path) } } },
    { name: "100 lines of a file", ours: { tool: "read_text_file", args: { workdir: "tree", path, max_lines: 100 } }, official: { tool: "read_text_file", args: { path: join(tree, path), head: 100 } } },
    { name: "list kernel/", ours: { tool: "list_directory", args: listed }, official: { tool: "list_directory", args: { path: join(tree, "kernel") } } },
  ]
}

export async function* calls({ tree, scratch, pairs, calls }: Bench): AsyncGenerator<Row> {
  const env = workdirs({ tree })
  const works = worksOn(tree)
  await using product = await startGateway({ scratch, env })
  const constants: Record<string, object> = {}
  for (const { ours } of works) constants[ours.tool] = await answerOf(product.mcp, ours)
  await using ceiling = await startCeiling(scratch, env, constants)
  await using official = await startOfficial(scratch, tree)

  for (const { name, ours, official: theirs } of works) {
    for (const era of ERAS) {
      const call = (endpoint: Endpoint) => () => drive(endpoint, toolCall(endpoint, era, ours), calls)
      const officialCall = () => drive(official.endpoint, toolCall(official.endpoint, "legacy", theirs), Math.ceil(calls / FEWER))
      const work = `${name}, ${era}`
      yield* overOfficial(work, await takeTurns(pairs, call(product.mcp), officialCall))
      yield* overCeiling(work, await takeTurns(pairs, call(product.mcp), call(ceiling.mcp)))
    }
  }
}

const callsPerSecond = (load: Load) => load.callsPerSecond

function* overOfficial(work: string, turns: Turn<Load>[]): Generator<Row> {
  yield atLeast(8, `${work}: calls/s`, compare(turns, callsPerSecond), perSecond, "official")
  yield atMost(1 / 6, `${work}: p99`, compare(turns, p(0.99)), ms, "official")
}

function* overCeiling(work: string, turns: Turn<Load>[]): Generator<Row> {
  yield atLeast(0.85, `${work}: calls/s`, compare(turns, callsPerSecond), perSecond, "no-op")
}
