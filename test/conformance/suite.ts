import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Revision } from "./scenarios.ts"

const PROGRAM = new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname

export interface Check {
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly errorMessage?: string
}

async function output(args: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, PROGRAM, ...args], { stdout: "pipe", stderr: "ignore" })
  const text = await new Response(child.stdout).text()
  await child.exited
  return text
}

/** The suite's server scenarios with the two revisions of ours that each applies to. */
export async function listScenarios(): Promise<Map<string, readonly string[]>> {
  const lines = (await output(["list", "--server"])).matchAll(/^ {2}- (\S+) \[([^\]]*)\]$/gm)
  return new Map([...lines].map(([, name = "", revisions = ""]) => [name, revisions.split(",")]))
}

/** Runs one scenario against a server and gives its checks. */
export async function runScenario(url: string, name: string, revision: Revision): Promise<readonly Check[]> {
  const directory = await mkdtemp(join(tmpdir(), "conformance-"))
  try {
    await output(["server", "--url", url, "--scenario", name, "--spec-version", revision, "--timeout", "10000", "-o", directory])
    const [file] = [...new Bun.Glob("*/checks.json").scanSync(directory)]
    if (file === undefined) throw new Error(`${name} left no checks under ${revision}`)
    return JSON.parse(await readFile(join(directory, file), "utf8")) as Check[]
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** The suite can't send a credential: what it sends goes through here, Host and Origin as they came, and gets one. */
export function addingBearer(target: string, token: string): { readonly url: string } & Disposable {
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const headers = new Headers(request.headers)
      headers.set("authorization", `Bearer ${token}`)
      const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer()
      return fetch(target + new URL(request.url).pathname, { method: request.method, headers, body, signal: request.signal })
    },
  })
  return { url: `http://localhost:${proxy.port}`, [Symbol.dispose]: () => void proxy.stop(true) }
}
