import { ripgrepInMemory } from "../../search/ripgrep-in-memory.ts"
import { Ripgrep } from "../../search/ripgrep.unsafe.ts"
import { about, type Finding } from "../finding.ts"

const DEADLINE_MS = 5_000
const REINSTALL = "install serverfs's packages again (its ripgrep is made for one kind of processor), and see that they lie where programs may be executed"

/** The bundled ripgrep is there, runs and says its version. null = it is run from memory. */
export async function checkRipgrep(file: string | null): Promise<Finding> {
  const { ok, error } = about("ripgrep")
  try {
    await using ripgrep = Ripgrep.start({ program: file ?? ripgrepInMemory(), args: ["--version"], maxFileBytes: 0, cwd: "/", signal: new AbortController().signal, timeoutMs: DEADLINE_MS })
    const chunks: Uint8Array[] = []
    for await (const chunk of ripgrep.output) chunks.push(chunk)
    const status = await ripgrep.exited()
    const version = /^ripgrep (\S+)/.exec(Buffer.concat(chunks).toString())?.[1]
    return status === 0 && version !== undefined ? ok(`runs, version ${version}`) : error(`ended with status ${status} instead of its version`, REINSTALL)
  } catch {
    return error("cannot be started", REINSTALL)
  }
}
