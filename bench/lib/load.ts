/** Keeps a number of calls in flight and times each. */
import { type Answer, Connection } from "./connection.ts"
import { type Endpoint, type ToolCall, toolCall, withId } from "./requests.ts"
import { quantile } from "./statistics.ts"

export interface Load {
  readonly callsPerSecond: number
  /** Milliseconds, one for each call. */
  readonly latencies: readonly number[]
}

/** Sockets with a call in flight. */
const IN_FLIGHT = 16

const FAILED = '"isError":true'

let lastId = 0

/** Sends the same request `calls` times over new connections: one that idled between two turns may have been closed. Throws when a call is refused. */
export async function drive({ url }: Endpoint, request: Buffer, calls: number): Promise<Load> {
  const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => Connection.open(new URL(url))))
  const latencies: number[] = []
  let left = calls
  const begin = performance.now()
  await Promise.all(connections.map(async (connection) => {
    const own = Buffer.from(request)
    while (left-- > 0) {
      const sent = performance.now()
      assertGood(await connection.send(withId(own, ++lastId)))
      latencies.push(performance.now() - sent)
    }
  }))
  const seconds = (performance.now() - begin) / 1000
  for (const connection of connections) connection.close()
  return { callsPerSecond: latencies.length / seconds, latencies }
}

export const p = (fraction: number) => ({ latencies }: Load) => quantile(latencies, fraction)

/** One call, timed alone. */
export async function once(connection: Connection, request: Buffer): Promise<{ ms: number; answer: Answer }> {
  const sent = performance.now()
  const answer = assertGood(await connection.send(request))
  return { ms: performance.now() - sent, answer }
}

export interface TimedClient extends Disposable {
  /** Milliseconds of one call, alone. */
  call(call: ToolCall): Promise<number>
}

export async function openTimed(endpoint: Endpoint): Promise<TimedClient> {
  const connection = await Connection.open(new URL(endpoint.url))
  return {
    call: async (call) => (await once(connection, toolCall(endpoint, "legacy", call))).ms,
    [Symbol.dispose]: () => connection.close(),
  }
}

export function assertGood(answer: Answer): Answer {
  if (answer.status === 200 && !answer.body.includes(FAILED)) return answer
  throw new Error(`a call was refused: HTTP ${answer.status} ${answer.body.toString("utf8", 0, 300)}`)
}

/** What a tool answered, without its envelope. */
export function structured({ body }: Answer): Record<string, unknown> {
  const message: unknown = JSON.parse(body.toString("utf8"))
  const value = dig(dig(message, "result"), "structuredContent")
  if (typeof value !== "object" || value === null) throw new Error("an answer without structuredContent")
  return { ...value }
}

export function dig(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}
