/** All threads of one configured directory: one lane for mutations, one to four for reads, started on first use. */
import { availableParallelism } from "node:os"
import { ToolError } from "../errors.ts"
import type { Input, Mutation, OperationName, Output, Read, TreeMutation } from "../operations/index.ts"
import type { DirectorySettings } from "../operations/operation.ts"
import { Lane, type LogEvent } from "./lane.ts"
import type { Lease, MutationLock } from "./mutation-lock.ts"
import { type Kind, type LaneContext, PendingCall } from "./pending-call.ts"

const MAX_READERS = Math.min(4, availableParallelism())

export class DirectoryLanes {
  readonly #settings: DirectorySettings
  readonly #lock: MutationLock
  readonly #log: LogEvent
  readonly #calls = new Set<PendingCall>()
  readonly #readers: Lane[] = []
  #writer: Lane | undefined
  /** Holders that lost the lock and have not come back. */
  #lost = 0
  #answers = true

  constructor(settings: DirectorySettings, lock: MutationLock, log: LogEvent) {
    this.#settings = settings
    this.#lock = lock
    this.#log = log
  }

  /** False after a call found the directory gone or hung, until one succeeds. */
  get available(): boolean {
    return this.#answers && !this.#allReadersStuck
  }

  /** Threads that run. */
  get threads(): number {
    return this.#started.length
  }

  /** Those of them that are held in a system call. */
  get stuck(): number {
    return this.#started.filter((lane) => lane.stuck).length
  }

  /** A read. WORKDIR_UNAVAILABLE at its deadline, or at once when every reader is stuck. */
  read<N extends Read>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#run("read", op, input, context, (call) => this.#sendToReader(call))
  }

  /** A mutation that is one check-and-commit under the process-wide lock. */
  mutate<N extends Mutation>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#run("mutation", op, input, context, (call) => {
      call.onReturn = this.#requestLock(() => this.#sendToWriter(call))
    })
  }

  /** A recursive mutation: it asks for the lock itself, a batch at a time. */
  mutateTree<N extends TreeMutation>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#run("tree", op, input, context, (call) => this.#sendToWriter(call))
  }

  /** The watchdog's beat: ends overdue calls, moves calls away from a stuck lane. */
  tick(now: number): void {
    for (const call of this.#calls) if (now >= call.deadline) call.expire()
    for (const lane of this.#started) lane.ping()
    const free = this.#readers.some((lane) => !lane.stuck) || this.#readers.length < MAX_READERS
    if (!free) return
    for (const lane of this.#readers) if (lane.stuck) for (const call of lane.takeBack()) this.#sendToReader(call)
  }

  /** Cancels what still runs and ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#started.map((lane) => lane.close()))
  }

  async #run<N extends OperationName>(kind: Kind, op: N, input: Input<N>, context: LaneContext, send: (call: PendingCall) => void): Promise<Output<N>> {
    if (kind !== "read" && this.#lost > 0) throw new ToolError("WORKDIR_UNAVAILABLE", { detail: "an earlier change in this directory has not come back" })
    const call = new PendingCall(kind, op, JSON.stringify(input), context)
    this.#calls.add(call)
    try {
      if (!call.settled) send(call)
      const value = JSON.parse(await call.answer) as Output<N>
      this.#answers = true
      return value
    } catch (error) {
      if (error instanceof ToolError && error.code === "WORKDIR_UNAVAILABLE") this.#answers = false
      throw error
    } finally {
      this.#calls.delete(call)
    }
  }

  /** Returns what ends the request: taken back while it waits, released once held. */
  #requestLock(granted: () => void): () => void {
    let lease: Lease | undefined
    let lost = false
    const withdraw = this.#lock.request((given) => {
      lease = given
      granted()
    }, () => {
      lost = true
      this.#lost++
    })
    return () => {
      withdraw()
      lease?.release()
      if (lost) this.#lost--
    }
  }

  #sendToReader(call: PendingCall): void {
    if (this.#allReadersStuck) return call.fail(new ToolError("WORKDIR_UNAVAILABLE"))
    let best: Lane | undefined
    for (const lane of this.#readers) if (!lane.stuck && (best === undefined || lane.load < best.load)) best = lane
    // A busy lane and room for another: start it, so that a burst spreads over the cores.
    if (best === undefined || (best.load > 0 && this.#readers.length < MAX_READERS)) {
      best = this.#start((gone) => { this.#readers.splice(this.#readers.indexOf(gone), 1) })
      this.#readers.push(best)
    }
    best.send(call)
  }

  #sendToWriter(call: PendingCall): void {
    this.#writer ??= this.#start(() => { this.#writer = undefined })
    this.#writer.send(call, (grant) => this.#requestLock(grant))
  }

  #start(gone: (lane: Lane) => void): Lane {
    return new Lane(this.#settings, this.#log, gone)
  }

  get #started(): readonly Lane[] {
    return this.#writer === undefined ? this.#readers : [...this.#readers, this.#writer]
  }

  get #allReadersStuck(): boolean {
    return this.#readers.length >= MAX_READERS && this.#readers.every((lane) => lane.stuck)
  }
}
