/** What an agent's context pays for knowing the tools. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Connection } from "../lib/connection.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { once } from "../lib/load.ts"
import { toolList } from "../lib/requests.ts"
import { type Bench, type Row } from "../lib/row.ts"

const KIB = 1024

export async function* surface({ tree, scratch }: Bench): AsyncGenerator<Row> {
  const root = join(scratch, "surface")
  mkdirSync(root)
  await using product = await startGateway({ scratch, env: { ...workdirs({ tree }), FILES_MCP_ROOT: root } })
  for (const [mount, limit] of [["mcp", 16], ["files", 8]] as const) {
    const connection = await Connection.open(new URL(product[mount].url))
    const { answer } = await once(connection, toolList(product[mount]))
    connection.close()
    const size = answer.body.length
    yield { work: `tools/list of ${new URL(product[mount].url).pathname}`, ours: `${(size / KIB).toFixed(1)} KB`, reference: "–", ratio: null, target: `≤ ${limit} KB`, met: size <= limit * KIB }
  }
}
