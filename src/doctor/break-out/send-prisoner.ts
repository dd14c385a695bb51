import type { Answer, Told } from "./prisoner.ts"

const DEADLINE_MS = 20_000

/** Words that start this program again: the runtime with the program's file, or the single-file binary alone. */
function selfCommand(): string[] {
  return import.meta.dir.startsWith("/$bunfs/") ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
}

/** Starts this program anew as `serverfs doctor --break-out`. Throws with what it wrote to stderr when it does not answer. */
export async function sendPrisoner(told: Told): Promise<Answer> {
  const child = Bun.spawn([...selfCommand(), "doctor", "--break-out"], {
    stdin: Buffer.from(JSON.stringify(told)),
    stdout: "pipe",
    stderr: "pipe",
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
  })
  const [answer, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if (await child.exited === 0) return JSON.parse(answer)
  throw new Error(complaint.trim().split("\n").at(-1) || "it ended without an answer")
}
