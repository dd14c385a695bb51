import type { Config } from "../../config/config.ts"
import { about, type Finding } from "../finding.ts"

const DEADLINE_MS = 2_000
const { ok, warning, error } = about("port")

export interface PortLook {
  readonly finding: Finding
  /** Where this gateway is running already; null when it is not. */
  readonly running: string | null
}

/** The port can be listened on, or this gateway is what listens there. */
export async function checkPort({ host, port }: Pick<Config, "host" | "port">): Promise<PortLook> {
  if (port === 0) return { finding: ok("any free one is taken at start"), running: null }
  const refusal = listenOnce(host, port)
  if (refusal === null) return { finding: ok(`${port} on ${host} is free`), running: null }
  if (refusal === "EADDRINUSE") return inUse(localUrl(host, port), port)
  return { finding: error(`${port} on ${host} cannot be listened on (${refusal})`, adviceFor(refusal)), running: null }
}

/** An address to reach it by on this machine: one that means "all" is none itself. */
function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

function listenOnce(hostname: string, port: number): string | null {
  try {
    Bun.listen({ hostname, port, socket: { data: () => {} } }).stop(true)
    return null
  } catch (failure) {
    return failure instanceof Error && "code" in failure ? String(failure.code) : String(failure)
  }
}

function adviceFor(refusal: string): string {
  if (refusal === "EACCES") return "choose a port above 1023 with SERVERFS_PORT"
  return "set SERVERFS_HOST to an address of this machine, such as 127.0.0.1"
}

async function inUse(url: string, port: number): Promise<PortLook> {
  if (!await isHealthy(url)) return { finding: error(`${port} is taken by another program`, "stop that program, or choose another port with SERVERFS_PORT"), running: null }
  if (!await refusesForeignHost(url)) {
    return { finding: warning(`${url} answers to any Host, so a page in a browser could reach it`, "see that it is this version of serverfs that runs there"), running: url }
  }
  return { finding: ok(`serverfs is running on ${url}, and refuses a foreign Host`), running: url }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(DEADLINE_MS) })
    const body: { status?: unknown } = JSON.parse(await response.text())
    return response.ok && body.status === "ok"
  } catch {
    return false
  }
}

async function refusesForeignHost(url: string): Promise<boolean> {
  const response = await fetch(`${url}/healthz`, { headers: { Host: "foreign.invalid" }, signal: AbortSignal.timeout(DEADLINE_MS) })
  return response.status === 421
}
