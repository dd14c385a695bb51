/** The real product as a child process: `bun src/main.ts` in a clean environment, on a free port, with a state directory of its own. */
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { scratch } from "./scratch.ts"

const ROOT = join(import.meta.dir, "../..")
const COMMAND = [process.execPath, "--no-env-file", `--config=${join(ROOT, "bunfig.toml")}`, join(ROOT, "src/main.ts")]
const READY = /ready on (http:\/\/\S+)/
const READY_MS = 15_000
const STOP_MS = 15_000

/** One line of the product's log. */
export type LogLine = Readonly<Record<string, unknown>>

export interface ProductOptions {
  /** Directories by alias, in slot order; the second element opens one for writing. */
  readonly workdirs?: Readonly<Record<string, string | readonly [path: string, mode: "rw"]>>
  /** Root of the Files service. */
  readonly files?: string
  /** Beside or in place of what is set here. */
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** What starts it, in place of Bun and the sources. */
  readonly command?: readonly string[]
  /** Where it is started; else in an empty directory. */
  readonly cwd?: string
  /** A state directory that outlives the product; else it has one of its own. */
  readonly stateDir?: string
}

export interface Product extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The static token: full rights, principal `static`. */
  readonly token: string
  readonly stateDir: string
  /** Every line of the log so far. The product writes them from a thread of its own, a little after the fact; after stop() all are there. */
  readonly log: readonly LogLine[]
  /** All that was written so far. */
  readonly written: { readonly stdout: string; readonly stderr: string }
  /** Resolves with the exit status. */
  readonly exited: Promise<number>
  /** With the static token, unless the headers name another or "" for none. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The first line of this event that matches, when it has come. */
  logged(event: string, fields?: LogLine): Promise<LogLine>
  kill(signal: NodeJS.Signals): void
  /** SIGTERM, then the exit status. Throws when it does not end in time. */
  stop(): Promise<number>
}

const running = new Set<Bun.Subprocess>()
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")))

/** Runs one command of the product to its end. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([...COMMAND, ...args], { env: { PATH: process.env["PATH"], ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { status, stdout, stderr }
}

export async function startProduct({ workdirs = {}, files, env = {}, args = [], command = COMMAND, cwd, stateDir }: ProductOptions = {}): Promise<Product> {
  const home = scratch()
  const token = `static-${crypto.randomUUID()}`
  const state = stateDir ?? home.at("state")
  const child = Bun.spawn([...command, ...args], {
    cwd: cwd ?? home.path,
    env: {
      PATH: process.env["PATH"],
      HOME: home.path,
      SERVERFS_PORT: "0",
      SERVERFS_TOKEN: token,
      SERVERFS_STATE_DIR: state,
      ...noLayout(home.at("no-layout")),
      ...slots(workdirs),
      ...(files === undefined ? {} : { FILES_MCP_ROOT: files }),
      ...env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  running.add(child)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const exited = child.exited.finally(() => running.delete(child))

  async function stop(): Promise<number> {
    child.kill("SIGTERM")
    const status = await Promise.race([exited, Bun.sleep(STOP_MS)])
    if (status !== undefined) {
      await Promise.all([stdout.ended, stderr.ended])
      return status
    }
    child.kill("SIGKILL")
    throw new Error(`still running ${STOP_MS / 1000} s after SIGTERM`)
  }

  const dispose = async (): Promise<void> => {
    try {
      if (child.exitCode === null && child.signalCode === null) await stop()
    } finally {
      home[Symbol.dispose]()
    }
  }

  const url = await until(READY_MS, () => {
    if (child.exitCode !== null) throw new Error(`ended at start with ${child.exitCode}: ${stderr.text.trim()}`)
    return READY.exec(stdout.text)?.[1]
  }).catch(async (error) => {
    await dispose()
    throw error
  })

  const log = (): LogLine[] => stderr.text.split("\n").slice(0, -1).filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    token,
    stateDir: state,
    exited,
    get log() {
      return log()
    },
    get written() {
      return { stdout: stdout.text, stderr: stderr.text }
    },
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers)
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`)
      if (headers.get("authorization") === "") headers.delete("authorization")
      return fetch(url + path, { ...init, headers })
    },
    logged(event, fields = {}) {
      const wanted = Object.entries({ event, ...fields })
      return until(READY_MS, () => log().find((line) => wanted.every(([name, value]) => line[name] === value)))
    },
    kill: (signal) => child.kill(signal),
    stop,
    [Symbol.asyncDispose]: dispose,
  }
}

/** Polls until there is a value; throws after `ms`. */
export async function until<T>(ms: number, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain`)
    await Bun.sleep(10)
  }
}

function slots(workdirs: NonNullable<ProductOptions["workdirs"]>): Record<string, string> {
  const entries = Object.entries(workdirs).flatMap(([alias, served], i) => {
    const slot = `WORKDIR_${String(i + 1).padStart(2, "0")}`
    const [path, mode] = typeof served === "string" ? [served, "ro"] : served
    return [[`${slot}_ALIAS`, alias], [`${slot}_PATH`, path], [`${slot}_READ_ONLY`, String(mode !== "rw")]]
  })
  return Object.fromEntries(entries)
}

/** A container layout that happens to be on this machine must not be seen. */
function noLayout(empty: string): Record<string, string> {
  if (!existsSync("/workdirs")) return {}
  mkdirSync(empty)
  return { SERVERFS_WORKDIRS_ROOT: empty }
}

/** Reads a stream as it comes, so that its writer never waits. */
function collect(stream: ReadableStream<Uint8Array>): { readonly text: string; readonly ended: Promise<void> } {
  let text = ""
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  }
  const ended = read()
  return { get text() { return text }, ended }
}
