/** One keep-alive HTTP/1.1 connection that sends bytes made beforehand. A fuller client would cost more than what it measures. */
import type { Socket } from "bun"

const HEAD_END = "\r\n\r\n"
const LAST_CHUNK = Buffer.from("0\r\n\r\n")

export interface Answer {
  readonly status: number
  readonly head: string
  /** As it came: with its chunk sizes, if it was chunked. */
  readonly body: Buffer
}

export class Connection {
  #socket!: Socket
  #parts: Buffer[] = []
  #length = 0
  /** Bytes of the whole answer; null until its head has come, infinite when it ends with the last chunk. */
  #wanted: number | null = null
  #head = ""
  #closed = false
  #resolve: (answer: Answer) => void = () => {}
  #reject: (error: Error) => void = () => {}

  private constructor() {}

  static async open(url: URL): Promise<Connection> {
    const connection = new Connection()
    connection.#socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        // The chunk is the socket's own memory, good until the handler returns.
        data: (_, chunk) => connection.#take(Buffer.from(chunk)),
        close: () => {
          connection.#closed = true
          connection.#reject(new Error("the connection was closed"))
        },
        error: (_, error) => connection.#reject(error),
      },
    })
    connection.#socket.setNoDelay(true)
    return connection
  }

  /** One request at a time. */
  send(request: Buffer): Promise<Answer> {
    this.#parts = []
    this.#length = 0
    this.#wanted = null
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#closed) reject(new Error("the connection was closed"))
      else this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.end()
  }

  #take(chunk: Buffer): void {
    this.#parts.push(chunk)
    this.#length += chunk.length
    if (this.#wanted === null) this.#readHead(this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts))
    const ended = this.#wanted === Number.POSITIVE_INFINITY ? this.#tail().equals(LAST_CHUNK) : this.#length === this.#wanted
    if (!ended) return
    const body = Buffer.concat(this.#parts).subarray(this.#head.length)
    this.#resolve({ status: Number(this.#head.slice(9, 12)), head: this.#head, body })
  }

  #readHead(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) return
    this.#head = bytes.toString("latin1", 0, end + HEAD_END.length)
    const length = /^content-length: *(\d+)/im.exec(this.#head)?.[1]
    this.#wanted = length === undefined ? Number.POSITIVE_INFINITY : this.#head.length + Number(length)
  }

  #tail(): Buffer {
    return Buffer.concat(this.#parts.slice(-2)).subarray(-LAST_CHUNK.length)
  }
}
