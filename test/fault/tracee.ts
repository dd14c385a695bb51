/** A tracee and the strace that is attached to it for one call at a time. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { scratch } from "../helpers/scratch.ts"
import { MARK_BEGIN, MARK_END, type Request, type Response } from "./messages.ts"

/** One system call of the operation, with its number among those of its name. */
export interface Traced {
  readonly name: string
  readonly nth: number
  readonly line: string
}

export interface Run {
  /** null = the tracee ended without an answer. */
  readonly response: Response | null
  /** Descriptors in the tree that the call left open. */
  readonly leaked: number
  /** The calls between the marks. */
  readonly calls: readonly Traced[]
  /** A fault hit a call of the runtime's. */
  readonly strayed: boolean
  /** The runtime's own calls before and in the operation, by name: they count for strace too. */
  readonly noise: ReadonlyMap<string, number>
}

/** A fault that hit the answer instead of the operation leaves none. */
const PATIENCE_MS = 3000
const TRACEE = join(import.meta.dir, "tracee-process.ts")

export class Tracee implements AsyncDisposable {
  readonly #child = Bun.spawn([process.execPath, TRACEE], { stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  readonly #lines = lines(this.#child.stdout)

  private constructor() {}

  static async start(): Promise<Tracee> {
    const tracee = new Tracee()
    await tracee.#lines.next()
    // The first call of a process makes system calls that no later one makes.
    using dir = scratch()
    const first = { path: "f", content: "" }
    await tracee.#ask({ root: dir.path, revision: "", call: { ...first, service: "serverfs", tool: "create_text_file", edits: [] } })
    await tracee.#ask({ root: dir.path, revision: "", call: { ...first, service: "files", tool: "copy", dst: "g", overwrite: false, deny: [] } })
    return tracee
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** One call under strace. @param faults strace's own `inject=` expressions */
  async run(request: Request, faults: readonly string[], traceFile: string): Promise<Run> {
    // Not -f: the operation runs in the thread whose id is the process's, and numbers are counted for each thread.
    const injections = faults.flatMap((fault) => ["-e", `inject=${fault}`])
    const strace = Bun.spawn(["strace", "-o", traceFile, ...injections, "-p", String(this.#child.pid)], { stdin: "ignore", stdout: "ignore", stderr: "pipe" })
    const notes = lines(strace.stderr)
    const attached = await notes.next()
    if (!String(attached.value).includes("attached")) {
      // A fault that came after the last answer has ended it.
      if (!String(attached.value).includes("No such process")) throw new Error(`strace: ${String(attached.value)}`)
      await this.#child.exited
      return { response: null, leaked: 0, calls: [], strayed: true, noise: new Map() }
    }
    const before = this.#openIn(request.root)
    const response = await this.#ask(request)
    const leaked = response === null ? 0 : this.#openIn(request.root) - before
    strace.kill("SIGINT")
    await strace.exited
    if (response === null) await this.#child.exited
    return { response, leaked, ...parse(readFileSync(traceFile, "latin1")) }
  }

  /** Descriptors of the tracee that lead into the tree. The runtime opens others for itself. */
  #openIn(root: string): number {
    const fds = `/proc/${this.#child.pid}/fd`
    return readdirSync(fds).filter((fd) => targetOf(`${fds}/${fd}`).startsWith(root)).length
  }

  /** null when the tracee ended instead of answering. */
  async #ask(request: Request): Promise<Response | null> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    await this.#child.stdin.flush()
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), PATIENCE_MS)
    const answer = await this.#lines.next()
    clearTimeout(patience)
    return answer.done ? null : (JSON.parse(answer.value) as Response)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.#child.exited
  }
}

/** The runtime looks at its own memory now and then, also in the middle of an operation: an openat, newfstatat, read and close. */
const RUNTIME_LOOKS = "/proc/self/statm"

function parse(trace: string): Pick<Run, "calls" | "strayed" | "noise"> {
  const counts = new Map<string, number>(), noise = new Map<string, number>()
  const calls: Traced[] = []
  let inside = false, ended = false, looking = false, strayed = false
  for (const line of trace.split("\n")) {
    const name = /^(\w+)\(/.exec(line)?.[1]
    if (name === undefined) continue
    if (line.includes(MARK_END)) ended = true
    if (line.includes(RUNTIME_LOOKS)) looking = true
    const own = !inside || ended || looking
    if (!own) calls.push({ name, nth: add(counts, name), line })
    else if (!ended) add(noise, name)
    if (own && line.includes("(INJECTED)")) strayed = true
    if (name === "close") looking = false
    if (line.includes(MARK_BEGIN)) inside = true
  }
  return { calls, strayed, noise }
}

/** "" for one that was closed since it was listed. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ""
  }
}

function add(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = parts.pop() ?? ""
    yield* parts
  }
}
