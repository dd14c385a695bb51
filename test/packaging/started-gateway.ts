/** A gateway started as an operator would start it, on a port of its own, and spoken to over REST. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const TOKEN = "started-gateway-test-token-0123456789"
const STOP_MS = 5000

export interface StartOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface StartedGateway extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** The result of a call, or what refused it. */
  tool(name: string, args: object): Promise<unknown>
  get(path: string): Promise<Response>
  /** Sends SIGTERM; the exit status. */
  stop(): Promise<number>
}

/** Waits for the line that says where it is ready. Throws with its stderr when it ends before. */
export async function startGateway(command: readonly string[], { cwd, env = {} }: StartOptions): Promise<StartedGateway> {
  const state = mkdtempSync(join(tmpdir(), "serverfs-state-"))
  const child = Bun.spawn([...command, "--port", "0"], {
    cwd,
    env: { SERVERFS_TOKEN: TOKEN, SERVERFS_STATE_DIR: state, ...env },
    stdout: "pipe",
    stderr: "pipe",
  })
  const stderr = child.stderr.text()
  const url = await readyUrl(child.stdout)
  if (url === null) throw new Error(`it did not start:\n${await stderr}`)

  const get = (path: string) => fetch(url + path, { headers: { Authorization: `Bearer ${TOKEN}` } })
  const stop = async () => {
    child.kill("SIGTERM")
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS)
    await child.exited
    clearTimeout(late)
    rmSync(state, { recursive: true, force: true })
    return child.exitCode ?? -1
  }
  return {
    url,
    pid: child.pid,
    get,
    stop,
    async tool(name, args) {
      const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" }
      const answer = await fetch(`${url}/mcp/${name}`, { method: "POST", headers, body: JSON.stringify(args) })
      return answer.json()
    },
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}

/** null = the output ended without it. */
async function readyUrl(stdout: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true })
    const url = /ready on (\S+)/.exec(text)?.[1]
    if (url !== undefined) return url
  }
  return null
}
