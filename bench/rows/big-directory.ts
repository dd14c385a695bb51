/** The first and the 900th page of a directory with 100,000 entries, against ls | sort. One client. */
import { closeSync, mkdirSync, openSync } from "node:fs"
import { join } from "node:path"
import { timedCommand } from "../lib/commands.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { openTimed } from "../lib/load.ts"
import { atMost, type Bench, ms, type Row } from "../lib/row.ts"
import { compare, takeTurns } from "../lib/turns.ts"

const ENTRIES = 100_000
const PAGE = 100

export async function* bigDirectory({ scratch, pairs }: Bench): AsyncGenerator<Row> {
  const root = join(scratch, "big-directory")
  mkdirSync(root)
  for (let i = 0; i < ENTRIES; i++) closeSync(openSync(join(root, `entry-${((i * 7919) % ENTRIES).toString().padStart(6, "0")}.txt`), "w"))
  await using product = await startGateway({ scratch, env: workdirs({ wide: root }) })
  using client = await openTimed(product.mcp)
  const sorted = () => timedCommand(["sh", "-c", `LC_ALL=C ls -f "$0" | LC_ALL=C sort >/dev/null`, root])
  for (const page of [1, 900]) {
    const args = { workdir: "wide", path: "", offset: (page - 1) * PAGE, limit: PAGE }
    const turns = await takeTurns(pairs, () => client.call({ tool: "list_directory", args }), sorted)
    yield atMost(1.5, `page ${page} of ${ENTRIES} entries`, compare(turns, Number), ms, "ls, sort")
  }
}
