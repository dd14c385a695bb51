/** Keeps a number of calls in flight and times each. */
import { type Answer, Connection } from "./connection.ts"
import { type Endpoint, type ToolCall, toolCall, withId } from "./requests.ts"
import { quantile } from "./statistics.ts"

export interface Load {
  readonly callsPerSecond: number
  /** Milliseconds, one for each call. */
  readonly latencies: readonly number[]
}

/** How many sockets have a call in flight unless a row says otherwise. */
export const IN_FLIGHT = 16

const FAILED = '"isError":true'

export class Driver implements Disposable {
  readonly #connections: readonly Connection[]
  #lastId = 0

  private constructor(connections: readonly Connection[]) {
    this.#connections = connections
  }

  static async open(url: string, inFlight = IN_FLIGHT): Promise<Driver> {
    return new Driver(await Promise.all(Array.from({ length: inFlight }, () => Connection.open(new URL(url)))))
  }

  /** Sends the same request `calls` times over all connections. Throws when one of them is refused. */
  async run(request: Buffer, calls: number): Promise<Load> {
    let left = calls
    const latencies: number[] = []
    const begin = performance.now()
    await Promise.all(this.#connections.map(async (connection) => {
      const own = Buffer.from(request)
      while (left-- > 0) {
        const sent = performance.now()
        assertGood(await connection.send(withId(own, ++this.#lastId)))
        latencies.push(performance.now() - sent)
      }
    }))
    return { callsPerSecond: (latencies.length * 1000) / (performance.now() - begin), latencies }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close()
  }
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
