/** A gateway whose tools do nothing, answering exactly what the product answered. */
import { join } from "node:path"
import { Connection } from "./connection.ts"
import { CONSTANT, type Gateway, startGateway } from "./gateway.ts"
import { once, structured } from "./load.ts"
import { type Endpoint, type ToolCall, toolCall } from "./requests.ts"

/** One call of the product, and its structured result. */
export async function answerOf(endpoint: Endpoint, call: ToolCall): Promise<Record<string, unknown>> {
  const connection = await Connection.open(new URL(endpoint.url))
  const { answer } = await once(connection, toolCall(endpoint, "legacy", call))
  connection.close()
  return structured(answer)
}

/** @param constants results by the tool's name */
export async function startCeiling(scratch: string, env: Readonly<Record<string, string>>, constants: Readonly<Record<string, object>>): Promise<Gateway> {
  const path = join(scratch, "constants.json")
  await Bun.write(path, JSON.stringify(constants))
  return startGateway({ command: CONSTANT, scratch, env: { ...env, BENCH_CONSTANTS: path } })
}
