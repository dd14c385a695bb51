/** The one place that starts a process: the bundled ripgrep, on a directory that is already open. */
import { availableParallelism } from "node:os"
import { ToolError } from "../errors.ts"
import { cpuTimeOf, limitMemory } from "../fs/child.ts"
import { Complaints } from "./complaints.ts"

export interface RipgrepOptions {
  /** What to execute. */
  readonly program: string
  readonly args: readonly string[]
  /** The largest file that is searched: a line of it may have to be held whole. */
  readonly maxFileBytes: number
  /** `/proc/self/fd/N` of the directory to search: the child enters the very directory that was walked to. */
  readonly cwd: string
  /** Ends the search. */
  readonly signal: AbortSignal
  /** Ends it too. */
  readonly timeoutMs: number
}

/** How it ended: its exit status, or null when it was killed. */
export type ExitStatus = number | null

type Child = Bun.Subprocess<"ignore", "pipe", "pipe">

interface Chunks {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

/** How long a killed process may take to end. One that is held in a system call, by a disk that hangs, is left to the kernel. */
const REAP_MS = 500

/** The system has no process, memory or descriptor to give. */
const EXHAUSTED: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"])

/** ripgrep's own default, up to here: one search must not have a large machine to itself. */
const THREADS = Math.min(8, availableParallelism())
/**
 * What a search may have. A line is held whole, in a buffer that is doubled and copied to grow. The bound is for what
 * ripgrep itself does not bound: a line of an ignore file, which may be a link to /dev/zero.
 */
const BASE_BYTES = 256 * 2 ** 20
const BUFFERS_PER_THREAD = 4

export class Ripgrep implements AsyncDisposable {
  readonly complaints = new Complaints()
  readonly #child: Child
  readonly #stdout: Chunks
  readonly #stderr: Chunks
  readonly #listening: Promise<void>
  readonly #signal: AbortSignal
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #givenUp = Promise.withResolvers<void>()
  #reaping: ReturnType<typeof setTimeout> | undefined
  #timedOut = false
  #isAwaited = false
  readonly #kill = (): void => {
    this.#child.kill("SIGKILL")
    // It keeps its pipes for as long as it can't die.
    void this.#stdout.cancel()
    void this.#stderr.cancel()
    this.#reaping ??= setTimeout(this.#givenUp.resolve, REAP_MS)
  }

  private constructor(child: Child, signal: AbortSignal, timeoutMs: number) {
    this.#child = child
    this.#stdout = child.stdout.getReader()
    this.#stderr = child.stderr.getReader()
    this.#listening = this.#listen()
    this.#signal = signal
    this.#timer = setTimeout(() => {
      this.#timedOut = true
      this.#kill()
    }, timeoutMs)
    signal.addEventListener("abort", this.#kill)
    if (signal.aborted) this.#kill()
  }

  /** Nothing of this process's environment or descriptors reaches the child. Throws SEARCH_FAILED or RESOURCE_EXHAUSTED. */
  static start({ program, args, maxFileBytes, cwd, signal, timeoutMs }: RipgrepOptions): Ripgrep {
    try {
      const child = Bun.spawn([program, `--threads=${THREADS}`, ...args], { cwd, env: {}, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
      limitMemory(child.pid, BASE_BYTES + THREADS * BUFFERS_PER_THREAD * maxFileBytes)
      return new Ripgrep(child, signal, timeoutMs)
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null
      throw new ToolError(EXHAUSTED.has(code) ? "RESOURCE_EXHAUSTED" : "SEARCH_FAILED")
    }
  }

  get timedOut(): boolean {
    return this.#timedOut
  }

  /** Chunks of its standard output, to the end or until it is killed. The pipe holds it back when nobody reads. */
  get output(): AsyncIterable<Uint8Array> {
    return this.#chunks()
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      this.#isAwaited = true
      const { value } = await this.#stdout.read()
      this.#isAwaited = false
      if (value === undefined) return
      yield value
    }
  }

  /** Somebody waits for its output: that it does nothing is not for want of a reader. */
  get isAwaited(): boolean {
    return this.#isAwaited
  }

  /** CPU time that it has used, in milliseconds. */
  get cpuMs(): number {
    return cpuTimeOf(this.#child.pid) / 1e6
  }

  /** Ends it before its time. */
  end(): void {
    this.#kill()
  }

  /** Lets it rest, so that what it has said can be looked at with the processor to itself. It can still be killed. */
  pause(): void {
    this.#child.kill("SIGSTOP")
  }

  resume(): void {
    this.#child.kill("SIGCONT")
  }

  /** Once the output has ended. `complaints` is complete afterwards. */
  async exited(): Promise<ExitStatus> {
    await this.#listening
    await Promise.race([this.#child.exited, this.#givenUp.promise])
    return this.#child.exitCode
  }

  async #listen(): Promise<void> {
    for await (const chunk of chunksOf(this.#stderr)) this.complaints.push(chunk)
  }

  /** Kills it if it still runs, and reaps it. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    this.#signal.removeEventListener("abort", this.#kill)
    this.#kill()
    await this.exited()
    clearTimeout(this.#reaping)
  }
}

async function* chunksOf(reader: Chunks): AsyncGenerator<Uint8Array, void, void> {
  for (let read = await reader.read(); read.value !== undefined; read = await reader.read()) yield read.value
}
