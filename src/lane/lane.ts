/** The near side of a lane: one worker thread, the calls it owes an answer, and whether it still answers at all. */
import type { DirectorySettings } from "../operations/operation.ts"
import { type FromLane, type Opening, SHARED, type ToLane } from "./messages.ts"
import { Unpacker } from "./packet.ts"
import { BEAT_MS, nextId, type PendingCall } from "./pending-call.ts"

export type LogEvent = (event: string, fields: Readonly<Record<string, unknown>>) => void

/** Asks for the mutation lock; the result gives it back, or takes the request back. */
export type RequestLock = (granted: () => void) => () => void

/** A lane that has not been heard from for this long while it owes an answer is stuck in a system call. */
const STUCK_AFTER_MS = 1000
/** And after this long it is past hope: an overloaded machine alone does not explain it. */
const HUNG_AFTER_MS = 5000
/** How long the start of a thread may take while everything else waits for it. */
const START_MS = 2000
/** How long a lane that is closed may take to cancel its calls. */
const LEAVE_MS = 500

interface Owed {
  readonly call: PendingCall
  readonly requestLock: RequestLock | undefined
  release: (() => void) | undefined
}

export class Lane {
  readonly #worker: Worker
  readonly #unpacker = new Unpacker()
  readonly #shared = new Int32Array(new SharedArrayBuffer(8))
  readonly #owed = new Map<number, Owed>()
  /** What is said in this turn of the event loop. */
  readonly #outbox: ToLane[] = []
  readonly #log: LogEvent
  readonly #gone: (lane: Lane) => void
  /** A ping that has not been answered, and the beats since. Not the clock: when this thread was held up, the others need not have been. */
  #pinged = false
  #missed = 0
  #dead = false
  #toReopen = false
  #idle: (() => void) | undefined

  /** @param gone called when the thread has ended by itself; its calls have been answered with an error */
  constructor(settings: DirectorySettings, log: LogEvent, gone: (lane: Lane) => void) {
    this.#log = log
    this.#gone = gone
    this.#worker = new Worker(new URL("./lane.worker.ts", import.meta.url).href)
    this.#worker.onmessage = ({ data }: MessageEvent<string>) => this.#unpacker.take(data).forEach((message) => this.#receive(message))
    this.#worker.addEventListener("error", (event) => this.#die(event.message))
    this.#worker.addEventListener("close", () => this.#die("the thread ended"))
    this.#worker.postMessage({ settings, shared: this.#shared } satisfies Opening)
  }

  /** Blocks this thread until the other one has loaded all that it needs. */
  waitForStart(): void {
    Atomics.wait(this.#shared, SHARED.started, 0, START_MS)
  }

  /** Calls that wait for an answer. */
  get load(): number {
    return this.#owed.size
  }

  /** How long it has owed a sign of life, in milliseconds. */
  get silentMs(): number {
    return this.#owed.size === 0 ? 0 : this.#missed * BEAT_MS
  }

  get stuck(): boolean {
    return this.silentMs >= STUCK_AFTER_MS
  }

  get hung(): boolean {
    return this.silentMs >= HUNG_AFTER_MS
  }

  send(call: PendingCall, requestLock?: RequestLock): void {
    call.id = nextId()
    this.#owed.set(call.id, { call, requestLock, release: undefined })
    call.lane = this
    this.#post({ kind: "call", id: call.id, op: call.op, input: call.input, sent: performance.now(), until: Number.isFinite(call.laneDeadline) ? call.laneDeadline : null, progress: call.context.progress !== undefined })
  }

  cancel(id: number): void {
    if (this.#owed.has(id)) this.#post({ kind: "cancel", id })
  }

  /** What it holds open has gone, and another directory may be at its path. Said once until it is heard from: a lane that hangs hears nothing. */
  reopen(): void {
    if (this.#toReopen) return
    this.#toReopen = true
    this.#post({ kind: "reopen" })
  }

  /** Every BEAT_MS, so that a lane with long work can show that it is alive. */
  beat(): void {
    if (this.#owed.size === 0) this.#missed = 0
    else if (this.#pinged) this.#missed++
    else {
      this.#pinged = true
      this.#post({ kind: "ping" })
    }
  }

  /** Takes back every call but the one whose code runs now, to be sent to another lane. */
  takeBack(): PendingCall[] {
    const running = Atomics.load(this.#shared, SHARED.current)
    // It must go on owing the one that holds it, or it would seem free.
    if (!this.#owed.has(running)) return []
    const taken: PendingCall[] = []
    for (const [id, { call }] of this.#owed) {
      if (id === running) continue
      this.#owed.delete(id)
      this.#post({ kind: "cancel", id })
      call.lane = null
      if (call.settled) call.forsake()
      else taken.push(call)
    }
    return taken
  }

  /** To be called when it is hung: what was answered meanwhile must not count against its caller for as long as a disk does not answer. */
  forsakeAnswered(): void {
    for (const { call } of this.#owed.values()) if (call.settled) call.forsake()
  }

  /** Cancels its calls, waits a moment for them to let go of what they hold (ripgrep outlives a thread), and ends the thread and what still runs in it. */
  async close(): Promise<void> {
    for (const id of this.#owed.keys()) this.cancel(id)
    if (this.#owed.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve
        setTimeout(resolve, LEAVE_MS)
      })
    }
    this.#worker.terminate()
    for (const { call } of this.#owed.values()) call.abandon()
  }

  #post(message: ToLane): void {
    this.#outbox.push(message)
    if (this.#outbox.length === 1) setImmediate(() => this.#worker.postMessage(JSON.stringify(this.#outbox.splice(0))))
  }

  #receive(message: FromLane): void {
    this.#pinged = false
    this.#missed = 0
    this.#toReopen = false
    switch (message.kind) {
      case "done": return this.#finish(message.id, { value: message.value })
      case "failed": return this.#finish(message.id, { failure: message.failure })
      case "progress": return this.#owed.get(message.id)?.call.context.progress?.(message.done, message.total ?? undefined)
      case "want": return this.#want(message.id)
      case "release": return this.#release(message.id)
      case "log": return this.#log(message.event, message.fields)
      case "pong": return
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

  /** An error is followed by the thread's end. */
  #die(reason: string): void {
    if (this.#dead) return
    this.#dead = true
    this.#gone(this)
    for (const id of this.#owed.keys()) this.#finish(id, { failure: { crash: `a lane ended: ${reason}` } })
  }
}
