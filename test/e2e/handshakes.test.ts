/** What each client is known to send, replayed against the running product; OAuth is off, so probes for it must be told so plainly. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { eventsOf } from "../helpers/event-stream.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

/** One file of handshakes/. `{token}` and `{session}` stand for the bearer token and the session id that was given last. */
interface Handshake {
  readonly client: string
  /** Where its behaviour is publicly known from. */
  readonly known: string
  readonly exchanges: readonly Exchange[]
}

interface Exchange {
  readonly what: string
  readonly method: string
  readonly path: string
  /** Exactly these, and Host. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or the very text. */
  readonly body?: unknown
  readonly answer: {
    readonly status: number
    /** A null header must not be there. */
    readonly headers?: Readonly<Record<string, string | null>>
    /** What the JSON, or the last event of a stream, must hold at least; absent: JSON of any kind; null: no body. */
    readonly body?: object | null
  }
}

interface Received {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

const DIRECTORY = join(import.meta.dir, "handshakes")
const HANDSHAKES = readdirSync(DIRECTORY).sort().map((name) => JSON.parse(readFileSync(join(DIRECTORY, name), "utf8")) as Handshake)
/** As many as the operator can be told how to connect, and browsers and older revisions besides. */
const CLIENTS = ["Browser", "ChatGPT", "Claude", "Claude Code", "Codex", "Cursor", "Gemini CLI", "Older revisions", "OpenAPI client", "VS Code", "curl", "mcp-remote"]

let tree: Scratch
let product: Product

beforeAll(async () => {
  tree = scratch({ "notes/a.txt": "one\ntwo\n", "b.txt": "x\n" })
  product = await startProduct({
    workdirs: { main: [tree.path, "rw"] },
    env: { SERVERFS_PUBLIC_URL: "https://gate.example.net", SERVERFS_ALLOWED_ORIGINS: "https://app.example.org", SERVERFS_OAUTH: "off" },
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  tree[Symbol.dispose]()
})

/** Sends nothing but what is given: fetch() would add an Accept and a User-Agent of its own. */
function send({ method, path, headers, body }: Pick<Exchange, "method" | "path" | "headers" | "body">): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const payload = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body)
  const outgoing = request({ host: "127.0.0.1", port: product.port, method, path, headers: { ...headers, ...(payload === undefined ? {} : { "content-length": Buffer.byteLength(payload) }) } }, (incoming) => {
    let text = ""
    incoming.setEncoding("utf8")
    incoming.on("data", (chunk: string) => { text += chunk })
    incoming.on("end", () => resolve({ status: incoming.statusCode, headers: incoming.headers, text }))
  })
  outgoing.on("error", reject)
  outgoing.end(payload)
  return promise
}

function messageOf({ headers, text }: Received): unknown {
  return String(headers["content-type"]).startsWith("text/event-stream") ? eventsOf(text).at(-1) : JSON.parse(text)
}

test("there is a handshake for every client", () => {
  expect(HANDSHAKES.map(({ client }) => client).sort()).toEqual(CLIENTS)
})

describe.each(HANDSHAKES)("$client", ({ exchanges }) => {
  let session = "none"
  const filled = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("{token}", product.token).replace("{session}", session)]))

  test.each(exchanges)("$what", async ({ method, path, headers, body, answer }) => {
    const received = await send({ method, path, headers: filled(headers), body })
    expect([received.status, received.text]).toEqual([answer.status, received.text])
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      if (value === null) expect([name, received.headers[name]]).toEqual([name, undefined])
      else expect(`${name}: ${received.headers[name]}`).toStartWith(`${name}: ${value}`)
    }
    if (answer.body === null) expect(received.text).toBe("")
    else expect(messageOf(received)).toMatchObject(answer.body ?? {})
    session = String(received.headers["mcp-session-id"] ?? session)
  })
})
