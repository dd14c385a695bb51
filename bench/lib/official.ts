/** What a user would pick instead: the official filesystem server behind a bridge from stdio to HTTP. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { start, stop } from "./child.ts"
import { CLIENT_INFO, type Endpoint, LEGACY_REVISION } from "./requests.ts"

const PACKAGES = ["@modelcontextprotocol/server-filesystem@2026.8.31", "supergateway@4.0.0"]
const READY_MS = 30_000

let installed: string | undefined

/** Into the scratch directory, once a run. */
function install(scratch: string): string {
  if (installed !== undefined) return installed
  const directory = join(scratch, "official")
  mkdirSync(directory)
  Bun.spawnSync(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", directory, ...PACKAGES], { stderr: "inherit" })
  return (installed = join(directory, "node_modules"))
}

export interface Official extends AsyncDisposable {
  readonly endpoint: Endpoint
}

export async function startOfficial(scratch: string, root: string): Promise<Official> {
  const modules = install(scratch)
  const port = freePort()
  const server = `node ${join(modules, "@modelcontextprotocol/server-filesystem/dist/index.js")} ${root}`
  const bridge = join(modules, "supergateway/dist/index.js")
  const flags = ["--outputTransport", "streamableHttp", "--stateful", "--port", String(port), "--logLevel", "none"]
  const child = start(["node", bridge, "--stdio", server, ...flags], process.env, "ignore")
  const url = `http://127.0.0.1:${port}/mcp`
  const session = await openSession(url)
  return {
    endpoint: { url, headers: { "mcp-session-id": session } },
    [Symbol.asyncDispose]: () => stop(child),
  }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const port = server.port ?? 0
  server.stop(true)
  return port
}

async function openSession(url: string): Promise<string> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo: CLIENT_INFO }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params })
  for (const deadline = performance.now() + READY_MS; ;) {
    const response = await fetch(url, { method: "POST", headers, body }).catch(() => null)
    const session = response?.headers.get("mcp-session-id")
    await response?.text()
    if (session) {
      await fetch(url, { method: "POST", headers: { ...headers, "mcp-session-id": session }, body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) })
      return session
    }
    if (performance.now() > deadline) throw new Error("the official server did not come up")
    await Bun.sleep(100)
  }
}
