import { tryProbe } from "../../confine/probe.ts"
import { Ripgrep } from "../../search/ripgrep.unsafe.ts"
import type { Way } from "./ways.ts"

const LOOPBACK = "127.0.0.1"
const DEADLINE_MS = 5_000
const socket = { data: () => {} }

/** Tries one way. "open" when it leads out, else the reason why it does not. `ripgrep` is what starts it. */
export async function tryWay(way: Way, ripgrep: string): Promise<string> {
  if (way.kind === "open") return tryProbe(way)
  try {
    const refusal = await attempt(way, ripgrep)
    return refusal ?? "open"
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}

async function attempt(way: Exclude<Way, { kind: "open" }>, ripgrep: string): Promise<string | null> {
  switch (way.kind) {
    case "run": {
      const { exitCode } = Bun.spawnSync([way.path], { env: {}, stdio: ["ignore", "ignore", "ignore"] })
      return exitCode === 0 ? null : `status ${exitCode}`
    }
    case "search": return await filesUnder(way.path, ripgrep) ? null : "nothing found"
    case "bind":
      Bun.listen({ hostname: LOOPBACK, port: way.port, socket }).stop(true)
      return null
    case "connect":
      (await Bun.connect({ hostname: LOOPBACK, port: way.port, socket })).end()
      return null
  }
}

/** Whether ripgrep names a single file there. */
async function filesUnder(path: string, program: string): Promise<boolean> {
  await using ripgrep = Ripgrep.start({ program, args: ["--files", "--", path], maxFileBytes: 0, cwd: "/", signal: new AbortController().signal, timeoutMs: DEADLINE_MS })
  for await (const chunk of ripgrep.output) if (chunk.length > 0) return true
  return false
}
