/** HTTP/1.1 by hand on a kept connection, so that nothing between us and the product mends a request or an answer. */
import { connect, type Socket } from "node:net"
import type { FuzzRequest } from "./requests.ts"

export interface Reply {
  /** 0: the connection was closed without an answer. */
  readonly status: number
  readonly head: string
  readonly body: string
}

/** An answer that takes longer is a hang. */
const PATIENCE_MS = 60_000
/** A stream is read for so long. */
const STREAM_MS = 300

const HEAD_END = "\r\n\r\n"

export class Wire {
  readonly #port: number
  #socket: Socket | null = null
  #received: Buffer = Buffer.alloc(0)
  #wake: () => void = () => {}
  #closed = false

  constructor(port: number) {
    this.#port = port
  }

  /** Throws when no answer comes. */
  async send(request: FuzzRequest): Promise<Reply> {
    const socket = this.#socket ?? this.#connect()
    socket.write(bytesOf(request))
    const reply = await this.#reply(request.method)
    if (reply.status === 0 || /^connection: close/im.test(reply.head) || reply.head.includes("text/event-stream")) this.close()
    return reply
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #connect(): Socket {
    const socket = connect(this.#port, "127.0.0.1")
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    this.#closed = false
    const current = (): boolean => this.#socket === socket
    socket.on("data", (chunk) => {
      if (!current()) return
      this.#received = Buffer.concat([this.#received, Buffer.from(chunk)])
      this.#wake()
    })
    socket.on("close", () => {
      if (!current()) return
      this.#closed = true
      this.#wake()
    })
    socket.on("error", () => {})
    return socket
  }

  async #reply(method: string): Promise<Reply> {
    const deadline = performance.now() + PATIENCE_MS
    let headEnd = this.#received.indexOf(HEAD_END)
    for (; headEnd < 0; headEnd = this.#received.indexOf(HEAD_END)) {
      if (!(await this.#more(deadline))) return { status: 0, head: "", body: this.#received.toString("latin1") }
    }
    const head = this.#received.toString("latin1", 0, headEnd)
    this.#received = this.#received.subarray(headEnd + HEAD_END.length)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    if (method === "HEAD" || status === 204 || status === 304) return { status, head, body: "" }
    const length = /^content-length: *(\d+)/im.exec(head)?.[1]
    const body = length !== undefined ? await this.#take(Number(length), deadline) : await this.#chunks(head.includes("text/event-stream") ? performance.now() + STREAM_MS : deadline, head)
    return { status, head, body }
  }

  async #take(length: number, deadline: number): Promise<string> {
    while (this.#received.length < length && (await this.#more(deadline)));
    const body = this.#received.toString("utf8", 0, length)
    this.#received = this.#received.subarray(length)
    return body
  }

  /** A chunked body to its last chunk; of a stream, what comes in time. */
  async #chunks(deadline: number, head: string): Promise<string> {
    const streams = head.includes("text/event-stream")
    while (!this.#received.includes("0\r\n\r\n") && (await this.#more(deadline, streams)));
    const body = this.#received.toString("utf8")
    this.#received = Buffer.alloc(0)
    return body
  }

  /** False when no more comes. */
  async #more(deadline: number, patient = false): Promise<boolean> {
    if (this.#closed) return false
    const ms = deadline - performance.now()
    if (ms <= 0 && patient) return false
    if (ms <= 0) throw new Error("no answer in time")
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    return true
  }
}

function bytesOf({ method, path, headers, body }: FuzzRequest): Uint8Array {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), `content-length: ${body.length}`]
  return Buffer.concat([Buffer.from(lines.join("\r\n") + HEAD_END, "latin1"), body])
}
