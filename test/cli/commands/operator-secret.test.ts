import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { openState } from "../../../src/state/state.ts"
import { stateDirectory } from "../../state/state-directory.ts"

const directory = stateDirectory()
const SECRET = "correct horse battery staple"

const source = JSON.stringify(join(import.meta.dir, "../../../src/cli/commands/operator-secret.ts"))
const program = `
  import { run } from ${source}
  const { stdin, stdout, stderr, argv } = process
  process.exit(await run(JSON.parse(argv[2]), { stdin, stdout, stderr, stateDir: argv[1], now: Date.now() }))
`
const command = (argv: readonly string[]): string[] => [process.execPath, "-e", program, directory(), JSON.stringify(argv)]

async function piped(input: string, ...argv: string[]) {
  const child = Bun.spawn(command(argv), { stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { status, stdout, stderr }
}

/** Answers each prompt in turn, at a real terminal. */
async function typed(...answers: string[]) {
  let shown = ""
  const terminal = { cols: 80, rows: 24, data: (_terminal: unknown, bytes: Uint8Array) => void (shown += new TextDecoder().decode(bytes)) }
  const child = Bun.spawn(command([]), { terminal })
  for (const [i, answer] of answers.entries()) {
    while (shown.split(": ").length <= i + 1) await Bun.sleep(10)
    child.terminal?.write(answer)
  }
  const status = await child.exited
  return { status, shown }
}

const matches = async (secret: string): Promise<boolean> => {
  using state = openState(directory())
  return state.operatorSecret.matches(secret)
}

describe("operator-secret", () => {
  test("takes the secret from a pipe, without the newline at its end", async () => {
    const { status, stdout, stderr } = await piped(`${SECRET}\n`)
    expect([status, stdout]).toEqual([0, ""])
    expect(stderr).toContain("has to be started again for OAuth to be on")
    expect(await matches(SECRET)).toBe(true)
    expect((await piped("another secret of mine")).stderr).not.toContain("started again")
    expect([await matches(SECRET), await matches("another secret of mine")]).toEqual([false, true])
  })

  test("asks twice at a terminal and never shows what is typed", async () => {
    const { status, shown } = await typed(`${SECRET}x\u007f\r`, `${SECRET}\r`)
    expect(status).toBe(0)
    expect(shown).not.toContain("horse")
    expect(await matches(SECRET)).toBe(true)
  })

  test("changes nothing when the two differ, or on Ctrl-C", async () => {
    const differ = await typed(`${SECRET}\r`, `${SECRET}!\r`)
    expect([differ.status, differ.shown.includes("are not the same")]).toEqual([1, true])
    const interrupted = await typed(`${SECRET}\r`, "\u0003")
    expect(interrupted.status).toBe(1)
    expect(await matches(SECRET)).toBe(false)
  })

  test.each([["", 1], ["short", 1], ["x".repeat(1025), 1], ["x".repeat(5000), 1], ["two lines of\nsecret", 1]])("refuses %j with status %d", async (input, status) => {
    expect(await piped(input)).toMatchObject({ status, stdout: "" })
    using state = openState(directory())
    expect(state.operatorSecret.exists).toBe(false)
  })

  test("never takes it from the command line, nor repeats what stood there", async () => {
    const { status, stdout, stderr } = await piped("", SECRET)
    expect([status, stdout]).toEqual([2, ""])
    expect(stderr).toContain("Usage:")
    expect(stderr).not.toContain("horse")
  })

  test("--remove removes it; status 1 when none was set", async () => {
    await piped(SECRET)
    expect(await piped("", "--remove")).toMatchObject({ status: 0, stderr: expect.stringContaining("is removed") })
    expect(await piped("", "--remove")).toMatchObject({ status: 1 })
  })
})
