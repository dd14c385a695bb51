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
}

export type Kind = "read" | "mutation" | "tree"

/** A tree operation is told to stop this much before the deadline, so that it can say what it has done. */
const TREE_GRACE_MS = 1000

let lastId = 0

export class PendingCall {
  readonly id = (lastId = (lastId % 0x7fffffff) + 1)
  readonly op: OperationName
  readonly input: string
  readonly deadline: number
  readonly context: LaneContext
  readonly answer: Promise<string>
  /** Set while a lane has it. */
  lane: Lane | null = null
  /** Run once when the lane has come back, or when the call ends without having been sent. */
  onReturn: (() => void) | undefined
  readonly #kind: Kind
  readonly #onAbort = (): void => this.abort()
  #resolve!: (value: string) => void
  #reject!: (error: Error) => void
  #settled = false
  #returned = false

  constructor(kind: Kind, op: OperationName, input: string, context: LaneContext) {
    this.op = op
    this.input = input
    this.context = context
    this.#kind = kind
    this.deadline = kind === "tree" && context.progress !== undefined ? Number.POSITIVE_INFINITY : context.deadline
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    context.signal.addEventListener("abort", this.#onAbort, { once: true })
    if (context.signal.aborted) this.abort()
  }

  get settled(): boolean {
    return this.#settled
  }

  /** Milliseconds that the lane is given. */
  laneMs(now: number): number {
    return this.deadline - now - (this.#kind === "tree" ? TREE_GRACE_MS : 0)
  }

  /** The lane's answer. */
  finish(outcome: { readonly value: string } | { readonly failure: Failure }): void {
    this.lane = null
    if ("value" in outcome) this.#settle(() => this.#resolve(outcome.value))
    else this.fail(errorOf(outcome.failure))
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
    if (this.#kind === "mutation") return
    this.lane.cancel(this.id)
    if (this.#kind === "read") this.fail(new Cancelled())
  }

  /** The deadline has passed. */
  expire(): void {
    if (this.#settled) return
    this.lane?.cancel(this.id)
    const unknown = this.#kind !== "read" && this.lane !== null
    const advice = unknown ? "the change may have happened: stat before you retry" : "nothing was done; try again later"
    this.fail(new ToolError("WORKDIR_UNAVAILABLE", { detail: "the directory did not answer in time", advice }))
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
    this.onReturn?.()
  }
}

function errorOf(failure: Failure): Error {
  if ("code" in failure) return new ToolError(failure.code, failure.about)
  if ("cancelled" in failure) return new Cancelled()
  return new Error(failure.crash)
}
