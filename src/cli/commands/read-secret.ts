/** Reads a secret from whoever is there: a person at a terminal, who is not shown what they type, or a pipe. */
import { createInterface } from "node:readline"
import { Writable } from "node:stream"

export interface SecretSource {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: { write(text: string): unknown }
}

const MAX_PIPED_BYTES = 4096

/** What was typed in answer to the prompt; null when it was given up (Ctrl-C, Ctrl-D). */
export async function promptSecret(prompt: string, { stdin, stderr }: SecretSource): Promise<string | null> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  stderr.write(prompt)
  try {
    return await new Promise((resolve) => {
      lines.on("SIGINT", () => resolve(null))
      lines.on("close", () => resolve(null))
      lines.question("", resolve)
    })
  } finally {
    lines.close()
    stderr.write("\n")
  }
}

/** All of a pipe but one newline at its end; null when it is longer than any secret. */
export async function pipedSecret({ stdin }: SecretSource): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > MAX_PIPED_BYTES) return null
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString("utf8").replace(/\r?\n$/, "")
}
