/** A real process that opens the audit and does what a test tells it. Its stderr goes wherever the test wants it. */
import { join } from "node:path"

const audit = join(import.meta.dir, "../../src/audit")

const PRELUDE = `
  import { openAudit } from ${JSON.stringify(join(audit, "open-audit.ts"))}
  import { writeEventNow } from ${JSON.stringify(join(audit, "write-now.ts"))}
  const tick = () => new Promise((done) => setImmediate(done))
  const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n")
  const told = async () => { for await (const _ of console) return }
`

/** Runs `script` (TypeScript, top-level await) with openAudit, writeEventNow, tick(), say(json) and told() (a line on stdin) at hand. */
export function auditProcess(script: string, shell: string) {
  const child = Bun.spawn(["sh", "-c", `${shell}`, "sh", process.execPath, "-e", PRELUDE + script], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let buffered = ""
  return {
    child,
    stderr: new Response(child.stderr).text(),
    /** The next line that the process said. */
    async heard(): Promise<unknown> {
      while (!buffered.includes("\n")) {
        const { value, done } = await lines.read()
        if (done) throw new Error(`ended with ${await child.exited}`)
        buffered += value
      }
      const end = buffered.indexOf("\n")
      const line = buffered.slice(0, end)
      buffered = buffered.slice(end + 1)
      return JSON.parse(line)
    },
    tell(): void {
      child.stdin.write("go\n")
      child.stdin.flush()
    },
  }
}

export function parsed(text: string): Record<string, unknown>[] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line))
}
