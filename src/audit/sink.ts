/** One place where lines go, and the queue before it. The writing is done by a thread, so that a reader who stops reading stops nothing here. */
import type { Keep } from "./audit.ts"
import type { SinkReply, SinkTarget } from "./sink.worker.ts"

/** Contract §8: beyond this the sink is stalled. */
export const QUEUE_BYTES = 8 * 1024 * 1024
/** For the events of changes that were under way when the sink stalled: 320 calls with the longest paths there are. */
const RESERVE_BYTES = 8 * 1024 * 1024
/** Stalled until this is reached, so that a slow reader causes one gap with a count, not many. */
const DRAINED_BYTES = QUEUE_BYTES / 2
/** With the other waits of a stop less than 5 s. */
const CLOSE_MS = 1000
/** How long lines that may be lost are gathered: woken for each turn of the event loop, the thread costs a busy gateway 1 to 5 % of its calls (measured). */
const GATHER_MS = 5

export interface SinkEvents {
  /** The sink takes lines again; `count` events are missing from it. Gives the line that says so. */
  readonly dropped: (count: number) => string
  /** Writing fails and is being retried; `reason` is an errno name. */
  readonly trouble: (reason: string) => void
}

export class Sink {
  readonly #worker: Worker
  readonly #events: SinkEvents
  #pending = ""
  #pendingBytes = 0
  /** Bytes that the thread has and has not yet reported as written. One batch at a time: the next collects meanwhile. */
  #inFlightBytes = 0
  #dropped = 0
  #stalled = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #drained: (() => void) | null = null

  constructor(target: SinkTarget, events: SinkEvents) {
    this.#events = events
    this.#worker = new Worker(new URL("./sink.worker.ts", import.meta.url).href, { name: "audit", ref: false })
    this.#worker.onmessage = (message: MessageEvent<SinkReply>) => this.#onReply(message.data)
    // A dead thread never acknowledges: whatever it had counts as unwritten, and no change may go unrecorded.
    this.#worker.onerror = ({ message }) => {
      this.#stalled = true
      this.#events.trouble(message)
    }
    this.#worker.postMessage(target)
  }

  get stalled(): boolean {
    return this.#stalled
  }

  /** Queues one line, newline included. */
  push(line: string, keep: Keep): void {
    const bytes = Buffer.byteLength(line)
    const waiting = this.#pendingBytes + this.#inFlightBytes + bytes
    if (waiting > QUEUE_BYTES) this.#stalled = true
    if (this.#stalled && (keep !== "kept" || waiting > QUEUE_BYTES + RESERVE_BYTES)) {
      this.#dropped++
      return
    }
    this.#pending += line
    this.#pendingBytes += bytes
    if (keep === "kept") this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), GATHER_MS)
  }

  /** Waits for the queue to be written, 1 s at most, and ends the thread. */
  async close(): Promise<void> {
    this.#send()
    if (this.#inFlightBytes > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#drained = resolve
      const timer = setTimeout(resolve, CLOSE_MS)
      await promise
      clearTimeout(timer)
    }
    this.#worker.terminate()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#inFlightBytes > 0 || this.#pendingBytes === 0) return
    this.#worker.postMessage(this.#pending)
    this.#inFlightBytes = this.#pendingBytes
    this.#pending = ""
    this.#pendingBytes = 0
  }

  #onReply(reply: SinkReply): void {
    if (reply !== "written") return this.#events.trouble(reply.trouble)
    this.#inFlightBytes = 0
    if (this.#stalled && this.#pendingBytes <= DRAINED_BYTES) this.#resume()
    this.#send()
    if (this.#inFlightBytes === 0) this.#drained?.()
  }

  #resume(): void {
    this.#stalled = false
    if (this.#dropped === 0) return
    const line = this.#events.dropped(this.#dropped)
    this.#dropped = 0
    this.push(line, "kept")
  }
}
