/** All threads of one configured directory: one lane for mutations, one for those of whole trees, one to four for reads, started on first use. */
import { availableParallelism } from "node:os"
import { MAX_DESCRIPTORS, openDescriptors } from "../descriptors.ts"
import { ToolError } from "../errors.ts"
import type { Input, Mutation, OperationName, Output, Read, TreeMutation } from "../operations/index.ts"
import type { DirectorySettings } from "../operations/operation.ts"
import { Availability } from "./availability.ts"
import { DirectoryLock } from "./directory-lock.ts"
import { Lane, type LogEvent } from "./lane.ts"
import type { MutationLock } from "./mutation-lock.ts"
import { type Kind, type LaneContext, PendingCall } from "./pending-call.ts"

const MAX_READERS = Math.min(4, availableParallelism())
/** A thread needs a few to start, and Bun ends the whole process when it finds none: … */
const THREAD_DESCRIPTORS = 16
/** … so while only so many are left, no connection is accepted meanwhile. */
const SCARCE_DESCRIPTORS = 128
/** How often a directory that does not answer is asked whether it does again, and how long it may take to say so. */
const PROBE_EVERY_MS = 2000
const PROBE_MS = 5000

const HUNG_ADVICE = "try again later; if it was mounted or made anew, the operator has to restart serverfs"
const HELD_UP = { detail: "an earlier change in this directory has not come back", advice: "nothing was done; try again later" }

export class DirectoryLanes {
  readonly #settings: DirectorySettings
  readonly #lock: DirectoryLock
  readonly #log: LogEvent
  readonly #availability: Availability
  readonly #calls = new Set<PendingCall>()
  readonly #readers: Lane[] = []
  #writer: Lane | undefined
  /** Apart from the writer: a tree operation may flush for seconds, and what waits behind that would hold the lock all the while. */
  #walker: Lane | undefined
  #probedAt = 0
  /** Set once the gateway is being stopped: no call is taken any more. */
  #stopping: ToolError | null = null

  constructor(settings: DirectorySettings, lock: MutationLock, log: LogEvent) {
    this.#settings = settings
    this.#lock = new DirectoryLock(lock, {
      lost: () => {
        log("changes_held_up", { workdir: settings.name })
        this.#refuseUnsentMutations()
      },
      returned: () => log("changes_resumed", { workdir: settings.name }),
    })
    this.#log = log
    this.#availability = new Availability(settings.name, log)
  }

  /** False after a call found the directory gone or hung, until one succeeds (it is asked every few seconds), and while a change hangs. */
  get available(): boolean {
    return this.#availability.answers && !this.#allReadersHung && !this.#lock.lost
  }

  /** Threads that run. */
  get threads(): number {
    return this.#started.length
  }

  /** Those of them that are held in a system call. */
  get stuck(): number {
    return this.#started.filter((lane) => lane.stuck).length
  }

  /** A read. WORKDIR_UNAVAILABLE at its deadline, or at once when every reader is hung. */
  read<N extends Read>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#run("read", op, input, context, (call) => this.#sendToReader(call))
  }

  /** A mutation that is one check-and-commit under the process-wide lock. */
  mutate<N extends Mutation>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#run("mutation", op, input, context, (call) => {
      call.whenReturned(this.#lock.request(() => this.#sendToWriter(call)))
    })
  }

  /** A recursive mutation: it asks for the lock itself, a batch at a time. */
  mutateTree<N extends TreeMutation>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#run("tree", op, input, context, (call) => this.#sendToWalker(call))
  }

  /** The watchdog's beat: ends calls that are due, moves calls away from stuck lanes. */
  beat(now: number): void {
    for (const call of this.#calls) if (call.isDue(now)) call.expire()
    for (const lane of this.#started) {
      lane.beat()
      if (lane.hung) lane.forsakeAnswered()
    }
    this.#probe(now)
    if (!this.#hasFreeReader && !this.#allReadersHung) return
    for (const lane of this.#readers) if (lane.stuck) for (const call of lane.takeBack()) this.#sendToReader(call)
  }

  /** Ends what still runs, but for changes, and refuses what comes. Resolves when all have been answered. */
  async interrupt(reason: ToolError): Promise<void> {
    this.#stopping = reason
    const answers = [...this.#calls].map(({ answer }) => answer)
    for (const call of this.#calls) call.interrupt(reason)
    await Promise.allSettled(answers)
  }

  /** Cancels what still runs and ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#started.map((lane) => lane.close()))
  }

  async #run<N extends OperationName>(kind: Kind, op: N, input: Input<N>, context: LaneContext, send: (call: PendingCall) => void): Promise<Output<N>> {
    if (this.#stopping !== null) throw this.#stopping
    if (kind !== "read" && this.#lock.lost) throw new ToolError("WORKDIR_UNAVAILABLE", HELD_UP)
    const call = new PendingCall(kind, op, input, context)
    this.#calls.add(call)
    try {
      if (!call.settled) send(call)
      // The lane ran the very operation that was asked for.
      const value = (await call.answer) as Output<N>
      this.#availability.succeeded()
      return value
    } catch (error) {
      const heldUp = kind !== "read" && this.#lock.lost
      if (error instanceof ToolError && error.code === "WORKDIR_UNAVAILABLE" && !call.ranOut && !heldUp && this.#stopping === null) {
        this.#availability.failed(error)
        for (const lane of this.#started) lane.reopen()
      }
      throw error
    } finally {
      this.#calls.delete(call)
    }
  }

  /** They would hang behind the change that hangs. */
  #refuseUnsentMutations(): void {
    for (const call of this.#calls) {
      if (call.kind === "mutation" && call.lane === null) call.fail(new ToolError("WORKDIR_UNAVAILABLE", HELD_UP))
    }
  }

  /** Asks a directory that did not answer, so that readiness and the log hear of its return without a call. */
  #probe(now: number): void {
    if (this.#availability.answers || this.#allReadersHung || now - this.#probedAt < PROBE_EVERY_MS) return
    this.#probedAt = now + PROBE_MS
    const context = { signal: new AbortController().signal, deadline: now + PROBE_MS }
    this.read("statFile", { path: "" }, context).catch(() => {}).finally(() => { this.#probedAt = performance.now() })
  }

  #sendToReader(call: PendingCall): void {
    if (this.#allReadersHung) return call.fail(new ToolError("WORKDIR_UNAVAILABLE", { advice: HUNG_ADVICE }))
    let best: Lane | undefined
    for (const lane of this.#readers) if (best === undefined || isFreer(lane, best)) best = lane
    // A busy lane and room for another: start it, so that a burst spreads over the cores.
    if (best === undefined || (best.load > 0 && this.#readers.length < MAX_READERS)) {
      const started = this.#start((gone) => { this.#readers.splice(this.#readers.indexOf(gone), 1) })
      if (started !== undefined) this.#readers.push(started)
      best = started ?? best
    }
    if (best === undefined) return call.fail(noThread())
    best.send(call)
  }

  #sendToWriter(call: PendingCall): void {
    this.#writer ??= this.#start(() => { this.#writer = undefined })
    if (this.#writer === undefined) return call.fail(noThread())
    this.#writer.send(call)
  }

  #sendToWalker(call: PendingCall): void {
    this.#walker ??= this.#start(() => { this.#walker = undefined })
    if (this.#walker === undefined) return call.fail(noThread())
    this.#walker.send(call, (grant) => this.#lock.request(grant))
  }

  /** Undefined while there are too few descriptors for another thread. */
  #start(gone: (lane: Lane) => void): Lane | undefined {
    const left = MAX_DESCRIPTORS - openDescriptors()
    if (left < THREAD_DESCRIPTORS) return undefined
    const { name } = this.#settings
    const lane = new Lane(this.#settings, (event, fields) => this.#log(event, { workdir: name, ...fields }), gone)
    if (left < SCARCE_DESCRIPTORS) lane.waitForStart()
    return lane
  }

  get #started(): readonly Lane[] {
    return [...this.#readers, this.#writer, this.#walker].filter((lane) => lane !== undefined)
  }

  get #hasFreeReader(): boolean {
    return this.#readers.length < MAX_READERS || this.#readers.some((lane) => !lane.stuck)
  }

  get #allReadersHung(): boolean {
    return this.#readers.length >= MAX_READERS && this.#readers.every((lane) => lane.hung)
  }
}

function noThread(): ToolError {
  return new ToolError("RESOURCE_EXHAUSTED", { detail: "too many open files; nothing was done" })
}

function isFreer(a: Lane, b: Lane): boolean {
  return a.stuck === b.stuck ? a.load < b.load : b.stuck
}
