/** A call from the moment it is asked for until its lane has come back, which may be after the caller was answered. */
import { Cancelled, ToolError } from "../errors.ts"
import type { OperationName } from "../operations/index.ts"
import type { Lane } from "./lane.ts"
import type { Failure } from "./messages.ts"

/** What a call carries besides its input: a part of the protocol layer's CallContext. */
export interface LaneContext {
  readonly signal: AbortSignal
  /** On the clock of performance.now(), ms. */
  readonly deadline: number
  readonly progress?: ((done: number, total?: number) => void) | undefined
  /** Told that a lane may have work with it, until what it gives is called. */
  readonly begin?: () => () => void
}

export type Kind = "read" | "mutation" | "tree"

/** A tree operation is told to stop this much before the deadline, or half of its time, so that it can say what it has done. */
const TREE_GRACE_MS = 1000
/** The watchdog's beat. An answer comes on the last one before the deadline, not on the first one after it. */
export const BEAT_MS = 250

let lastId = 0

/** Fits the shared memory, and is never 0. */
export function nextId(): number {
  return (lastId = (lastId % 0x7fffffff) + 1)
}

export class PendingCall {
  /** In the lane that has it. Each sending has its own: a call that was taken back may come to the same lane again. */
  id = 0
  readonly op: OperationName
  readonly kind: Kind
  readonly input: unknown
  readonly context: LaneContext
  readonly answer: Promise<unknown>
  /** When the lane has to have finished. */
  readonly laneDeadline: number
  /** Set while a lane has it. */
  lane: Lane | null = null
  readonly #deadline: number
  /** For a tree operation that tells its client how far it is: how long its lane may be silent. Others have null. */
  readonly #patienceMs: number | null
  readonly #ended: (() => void) | undefined
  #onReturn: (() => void) | undefined
  readonly #onAbort = (): void => this.abort()
  #resolve!: (value: unknown) => void
  #reject!: (error: Error) => void
  /** Set when the call has to end because the gateway does. */
  #interruption: ToolError | null = null
  #settled = false
  #returned = false

  constructor(kind: Kind, op: OperationName, input: unknown, context: LaneContext) {
    this.op = op
    this.input = input
    this.context = context
    this.kind = kind
    const left = context.deadline - performance.now()
    this.#patienceMs = kind === "tree" && context.progress !== undefined ? left : null
    this.#deadline = this.#patienceMs === null ? context.deadline : Number.POSITIVE_INFINITY
    this.laneDeadline = this.#deadline - (kind === "tree" ? Math.min(TREE_GRACE_MS, left / 2) : 0)
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#ended = context.begin?.()
    context.signal.addEventListener("abort", this.#onAbort, { once: true })
    if (context.signal.aborted) this.abort()
  }

  /** Runs it once, when the lane has come back or the call ends without having been sent: at once when it has already. */
  whenReturned(run: () => void): void {
    if (this.#returned) run()
    else this.#onReturn = run
  }

  get settled(): boolean {
    return this.#settled
  }

  /** Whether its caller can't be left waiting for another beat. */
  isDue(now: number): boolean {
    if (this.#patienceMs !== null) return (this.lane?.silentMs ?? 0) + BEAT_MS >= this.#patienceMs
    return now + BEAT_MS >= this.#deadline
  }

  /** True when the time was up and the lane alive: too much was asked for, and the directory is not to blame. */
  get ranOut(): boolean {
    return performance.now() + BEAT_MS >= this.laneDeadline && this.lane?.stuck !== true
  }

  /** The lane's answer. */
  finish(outcome: { readonly value: unknown } | { readonly failure: Failure }): void {
    this.lane = null
    if ("value" in outcome) this.#settle(() => this.#resolve(outcome.value))
    else {
      const error = errorOf(outcome.failure)
      this.fail("crash" in outcome.failure ? error : this.#interruption?.ending(error) ?? error)
    }
    this.#return()
  }

  /** Answers the caller with an error, whatever the lane still does. */
  fail(error: Error): void {
    this.#settle(() => this.#reject(error))
    if (this.lane === null) this.#return()
  }

  /** The client has gone: before the commit point the call is dropped, after it the lane's answer is waited for. */
  abort(): void {
    if (this.lane === null) return this.fail(new Cancelled())
    if (this.kind === "mutation") return
    this.lane.cancel(this.id)
    if (this.kind === "read") this.fail(new Cancelled())
  }

  /** The gateway is being stopped. A change is waited for, and a tree operation for what it says of how far it has come. */
  interrupt(reason: ToolError): void {
    if (this.lane === null) return this.fail(reason)
    if (this.kind === "mutation") return
    this.#interruption = reason
    this.lane.cancel(this.id)
    if (this.kind === "read") this.fail(reason)
  }

  /** The lane is ended with the call in it. */
  abandon(): void {
    const advice = this.kind === "read" ? undefined : "the change may have happened: stat before you retry"
    this.fail(new ToolError("WORKDIR_UNAVAILABLE", { detail: "the gateway was stopped", advice }))
  }

  /** The time is up. */
  expire(): void {
    if (this.#settled) return
    this.lane?.cancel(this.id)
    this.fail(this.#late())
  }

  #late(): ToolError {
    if (this.lane === null) return new ToolError("RESOURCE_EXHAUSTED", { detail: "other changes were in the way until the deadline; nothing was done" })
    const detail = this.lane.stuck ? "the directory did not answer in time" : "the call did not finish by its deadline"
    if (this.kind !== "read") return new ToolError("WORKDIR_UNAVAILABLE", { detail, advice: "the change may have happened: stat before you retry" })
    return new ToolError("WORKDIR_UNAVAILABLE", { detail, ...(this.lane.stuck ? {} : { advice: "ask for less at a time" }) })
  }

  /** No lane has it any more, or one that is past hope: it holds nobody up. */
  forsake(): void {
    this.#ended?.()
  }

  #settle(answer: () => void): void {
    if (this.#settled) return
    this.#settled = true
    this.context.signal.removeEventListener("abort", this.#onAbort)
    answer()
  }

  #return(): void {
    if (this.#returned) return
    this.#returned = true
    this.#ended?.()
    this.#onReturn?.()
  }
}

function errorOf(failure: Failure): Error {
  if ("code" in failure) return new ToolError(failure.code, failure.about)
  if ("cancelled" in failure) return new Cancelled()
  return new Error(failure.crash)
}
