/** From nothing to a good /readyz, confined, against bun printing a word. */
import { start as startChild, stop } from "../lib/child.ts"
import { Connection } from "../lib/connection.ts"
import { environmentOf, PRODUCT, workdirs } from "../lib/gateway.ts"
import { timedCommand } from "../lib/commands.ts"
import { type Bench, ms, type Row } from "../lib/row.ts"
import { compare, takeTurns } from "../lib/turns.ts"

const PORT = "18327"
const READYZ = Buffer.from("GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n")
const ALLOWED_MS = 250
const POLL_MS = 1

export async function* start({ tree, scratch, pairs }: Bench): AsyncGenerator<Row> {
  // One state directory for all: only the first start, which warms up, has to make it.
  const environment = environmentOf({ scratch, env: { ...workdirs({ tree }), SERVERFS_PORT: PORT, SERVERFS_CONFINE: "auto" } })
  const toReady = async () => {
    const begin = performance.now()
    const child = startChild(PRODUCT, environment, "ignore")
    await ready()
    const taken = performance.now() - begin
    await stop(child)
    return taken
  }
  const word = () => timedCommand([process.execPath, "-e", "console.log('word')"])
  const turns = await takeTurns(pairs, toReady, word)
  const { ours, theirs } = compare(turns, Number)
  const more = compare(turns.map((turn) => ({ ours: turn.ours - turn.theirs, theirs: 1 })), Number).ours
  yield { work: "start to /readyz, confined", ours: ms(ours), reference: `${ms(theirs)} bun -e`, ratio: null, target: `≤ ${ALLOWED_MS} ms more`, met: more <= ALLOWED_MS }
}

async function ready(): Promise<void> {
  for (;;) {
    const connection = await Connection.open(new URL(`http://127.0.0.1:${PORT}`)).catch(() => null)
    const answer = await connection?.send(READYZ)
    connection?.close()
    if (answer?.status === 200) return
    await Bun.sleep(POLL_MS)
  }
}
