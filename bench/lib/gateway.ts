/** Gateways as child processes: the product as a user starts it, and the same stack whose tools do nothing. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { start, stop } from "./child.ts"
import type { Endpoint } from "./requests.ts"

export const ROOT = join(import.meta.dir, "../..")
const BUN = [process.execPath, "--no-env-file", `--config=${join(ROOT, "bunfig.toml")}`, `--tsconfig-override=${join(ROOT, "tsconfig.json")}`]
export const PRODUCT = [...BUN, join(ROOT, "src/main.ts")]
export const CONSTANT = [...BUN, join(import.meta.dir, "constant-gateway.ts")]

const READY = /ready on (http:\/\/\S+)/
const TOKEN = "bench-bench-bench-bench-bench-bench"

export interface GatewayOptions {
  readonly command?: readonly string[]
  /** Made anew below it: the state directory. */
  readonly scratch: string
  readonly env: Readonly<Record<string, string>>
}

export interface Gateway extends AsyncDisposable {
  readonly pid: number
  readonly mcp: Endpoint
  readonly files: Endpoint
}

/** The environment of a gateway that serves these directories for reading and writing. */
export function workdirs(directories: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(directories).flatMap(([alias, path], i) => {
    const slot = `WORKDIR_${String(i + 1).padStart(2, "0")}`
    return [[`${slot}_ALIAS`, alias], [`${slot}_PATH`, path], [`${slot}_READ_ONLY`, "false"]]
  }))
}

let started = 0

export function environmentOf({ scratch, env }: GatewayOptions): Record<string, string> {
  const home = join(scratch, `gateway-${++started}`)
  mkdirSync(home)
  return { PATH: process.env["PATH"] ?? "", HOME: home, SERVERFS_STATE_DIR: join(home, "state"), SERVERFS_PORT: "0", SERVERFS_TOKEN: TOKEN, ...env }
}

/** Starts it and waits for its first line. The log goes to /dev/null: it is written, and nobody reads it. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const child = start(options.command ?? PRODUCT, environmentOf(options), "pipe")
  const url = await readyUrl(child.stdout)
  const headers = { authorization: `Bearer ${TOKEN}` }
  return {
    pid: child.pid,
    mcp: { url: `${url}/mcp`, headers },
    files: { url: `${url}/files-mcp`, headers },
    [Symbol.asyncDispose]: () => stop(child),
  }
}

async function readyUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true })
    const url = READY.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`a gateway ended at its start: ${text}`)
}
