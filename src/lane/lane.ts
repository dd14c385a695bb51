/** The near side of a lane: one worker thread, the calls it owes an answer, and whether it still answers at all. */
import type { DirectorySettings } from "../operations/operation.ts"
import type { Failure, FromLane, ToLane } from "./messages.ts"
import type { PendingCall } from "./pending-call.ts"

export type LogEvent = (event: string, fields: Readonly<Record<string, unknown>>) => void

/** Asks for the mutation lock; the result gives it back, or takes the request back. */
export type RequestLock = (granted: () => void) => () => void

/** A lane that has not been heard from for this long while it owes an answer is stuck in a system call. */
const STUCK_AFTER_MS = 1000
/** How long a lane that is closed may take to cancel its calls. */
const LEAVE_MS = 500

interface Owed {
  readonly call: PendingCall
  readonly requestLock: RequestLock | undefined
  release: (() => void) | undefined
}

export class Lane {
  readonly #worker: Worker
  readonly #shared = new SharedArrayBuffer(4)
  readonly #owed = new Map<number, Owed>()
  readonly #log: LogEvent
  readonly #gone: (lane: Lane) => void
  #heardAt = performance.now()
  #pinged = false
  #idle: (() => void) | undefined

  /** @param gone called when the thread has ended by itself; its calls have been answered with an error */
  constructor(settings: DirectorySettings, log: LogEvent, gone: (lane: Lane) => void) {
    this.#log = log
    this.#gone = gone
    this.#worker = new Worker(new URL("./lane.worker.ts", import.meta.url).href)
    this.#worker.onmessage = ({ data }: MessageEvent<FromLane>) => this.#receive(data)
    this.#worker.addEventListener("error", (event) => this.#die(event.message))
    this.#worker.addEventListener("close", () => this.#die("the thread ended"))
    this.#post({ kind: "open", settings: JSON.stringify(settings), current: this.#shared })
  }

  /** Calls that wait for an answer. */
  get load(): number {
    return this.#owed.size
  }

  /** True while a system call does not return. */
  get stuck(): boolean {
    return this.#owed.size > 0 && performance.now() - this.#heardAt > STUCK_AFTER_MS
  }

  send(call: PendingCall, requestLock?: RequestLock): void {
    const now = performance.now()
    if (this.#owed.size === 0) this.#heardAt = now
    this.#owed.set(call.id, { call, requestLock, release: undefined })
    call.lane = this
    this.#post({ kind: "call", id: call.id, op: call.op, input: call.input, ms: call.laneMs(now), progress: call.context.progress !== undefined })
  }

  cancel(id: number): void {
    if (this.#owed.has(id)) this.#post({ kind: "cancel", id })
  }

  /** Keeps `stuck` honest for a lane that has long work but is alive. */
  ping(): void {
    if (this.#owed.size === 0 || this.#pinged) return
    this.#pinged = true
    this.#post({ kind: "ping" })
  }

  /** Takes back every call but the one whose code runs now, to be sent to another lane. */
  takeBack(): PendingCall[] {
    const running = Atomics.load(new Int32Array(this.#shared), 0)
    const taken: PendingCall[] = []
    for (const [id, { call }] of this.#owed) {
      if (id === running) continue
      this.#owed.delete(id)
      this.#post({ kind: "cancel", id })
      call.lane = null
      if (!call.settled) taken.push(call)
    }
    return taken
  }

  /** Cancels its calls, waits a moment for them to let go of what they hold (ripgrep outlives a thread), and ends the thread. */
  async close(): Promise<void> {
    for (const id of this.#owed.keys()) this.cancel(id)
    if (this.#owed.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve
        setTimeout(resolve, LEAVE_MS)
      })
    }
    this.#worker.terminate()
  }

  #post(message: ToLane): void {
    this.#worker.postMessage(message)
  }

  #receive(message: FromLane): void {
    this.#heardAt = performance.now()
    this.#pinged = false
    switch (message.kind) {
      case "done": return this.#finish(message.id, { value: message.value })
      case "failed": return this.#finish(message.id, { failure: JSON.parse(message.failure) as Failure })
      case "progress": return this.#owed.get(message.id)?.call.context.progress?.(message.done, message.total ?? undefined)
      case "want": return this.#want(message.id)
      case "release": return this.#release(message.id)
      case "log": return this.#log(message.event, JSON.parse(message.fields) as Record<string, unknown>)
      case "opened": case "pong": return
    }
  }

  #want(id: number): void {
    const owed = this.#owed.get(id)
    if (owed?.requestLock !== undefined) owed.release = owed.requestLock(() => this.#post({ kind: "granted", id }))
  }

  #release(id: number): void {
    const owed = this.#owed.get(id)
    owed?.release?.()
    if (owed !== undefined) owed.release = undefined
  }

  #finish(id: number, outcome: Parameters<PendingCall["finish"]>[0]): void {
    const owed = this.#owed.get(id)
    if (owed === undefined) return
    this.#owed.delete(id)
    owed.release?.()
    owed.call.finish(outcome)
    if (this.#owed.size === 0) this.#idle?.()
  }

  #die(reason: string): void {
    this.#gone(this)
    for (const id of this.#owed.keys()) this.#finish(id, { failure: { crash: `a lane ended: ${reason}` } })
  }
}
