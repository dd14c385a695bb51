import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { LogFile } from "../../../src/audit/log-file.ts"
import { run } from "../../../src/cli/commands/audit.ts"

const MAIN = join(import.meta.dir, "../../../src/main.ts")

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "audit-command-"))
  file = join(dir, "audit.jsonl")
})
afterEach(() => rmSync(dir, { recursive: true }))

const line = (fields: object): string => `${JSON.stringify(fields)}\n`

function audit(argv: string[], auditFile: string | null = null) {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  const stop = new AbortController()
  const status = run(argv, { auditFile, signal: stop.signal, stdout: into("stdout"), stderr: into("stderr") })
  return { out, status, stop: () => stop.abort() }
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !condition(); i++) await Bun.sleep(10)
  expect(condition()).toBe(true)
}

describe("audit", () => {
  const EVENTS = [
    { event: "startup" },
    { event: "tool_call", principal: "ci", tool: "read_text_file", workdir: "src", error_code: null },
    { event: "tool_call", principal: "ci", tool: "edit_text_file", workdir: "src", error_code: "REVISION_CONFLICT" },
    { event: "tool_call", principal: "me", tool: "edit_text_file", workdir: "docs", error_code: "REVISION_CONFLICT" },
  ]

  test.each([
    [[], [0, 1, 2, 3]],
    [["--principal", "ci"], [1, 2]],
    [["--tool", "edit_text_file"], [2, 3]],
    [["--workdir", "docs"], [3]],
    [["--code", "REVISION_CONFLICT", "--principal", "ci"], [2]],
    [["--principal", "nobody"], []],
  ])("prints what %j asks for", async (filters, expected) => {
    writeFileSync(file, EVENTS.map(line).join(""))
    const { status, out } = audit([...filters, file])
    expect(await status).toBe(0)
    expect(out.stdout).toBe(expected.map((i) => line(EVENTS[i] ?? {})).join(""))
  })

  test.each([
    [["--tool", "bogus"], "no event has the tool 'bogus'; tools in the file: edit_text_file, read_text_file\n"],
    [["--workdir", "Docs"], "no event has the workdir 'Docs'; workdirs in the file: docs, src\n"],
    [["--code", "NOPE", "--principal", "me"], "no event has the code 'NOPE'; codes in the file: REVISION_CONFLICT\n"],
    [["--principal", "\u001b[2K"], "no event has the principal '\\u001b[2K'; principals in the file: ci, me\n"],
    [["--principal", "me", "--workdir", "src"], "no event matches all of these filters\n"],
    [["--principal", "me"], ""],
  ])("says on stderr why nothing matches %j", async (filters, reason) => {
    writeFileSync(file, EVENTS.map(line).join(""))
    const { status, out } = audit([...filters, file])
    expect([await status, out.stderr]).toEqual([0, reason === "" ? "" : `serverfs audit: ${reason}`])
  })

  test("says of a file without events that it names none, and tells thirty names at most", async () => {
    writeFileSync(file, "")
    const empty = audit(["--tool", "stat", file])
    expect([await empty.status, empty.out.stderr]).toEqual([0, "serverfs audit: no event has the tool 'stat'; the file names no tools\n"])
    writeFileSync(file, Array.from({ length: 1000 }, (_, i) => line({ principal: `p${i}` })).join(""))
    const many = audit(["--principal", "x", file])
    expect([await many.status, many.out.stderr.split(", ").length, many.out.stderr.endsWith(", …\n")]).toEqual([0, 31, true])
    const late = audit(["--principal", "p999", file])
    expect([await late.status, late.out.stderr, late.out.stdout]).toEqual([0, "", line({ principal: "p999" })])
  })

  test("--follow says it at once, and goes on", async () => {
    writeFileSync(file, line({ tool: "stat" }))
    const { status, out, stop } = audit(["--follow", "--tool", "copy", file])
    await until(() => out.stderr !== "")
    appendFileSync(file, line({ tool: "copy" }))
    await until(() => out.stdout === line({ tool: "copy" }))
    stop()
    expect(await status).toBe(0)
  })

  test("reads SERVERFS_AUDIT_FILE when no file is named", async () => {
    writeFileSync(file, line({ event: "startup" }))
    const { status, out } = audit([], file)
    expect([await status, out.stdout]).toEqual([0, line({ event: "startup" })])
  })

  test("leaves out what is no event, and escapes what could repaint the terminal", async () => {
    writeFileSync(file, `{"half":\n[1]\nnull\n\u001b[2K\n{"path":"a\u202eb\u009bc"}\n{"unfinished":1}`)
    const { status, out } = audit([file])
    expect([await status, out.stdout]).toEqual([0, '{"path":"a\\u202eb\\u009bc"}\n'])
  })

  test("--follow goes on through rotations without losing or repeating a line", async () => {
    const log = new LogFile({ path: file, maxBytes: 4000, keep: 50 }, (code) => expect.unreachable(code))
    const { status, out, stop } = audit(["--follow", "--principal", "ci", file])
    const seen = (): number[] => out.stdout.split("\n").slice(0, -1).map((each) => JSON.parse(each).i)
    for (let i = 0; i < 150; i++) {
      log.append(Buffer.from(line({ i, principal: "ci", pad: "x".repeat(60) }) + line({ principal: "other" })))
      // About 34 pairs a file: never two rotations between two looks.
      if (i % 30 === 29) await until(() => seen().length === i + 1)
    }
    expect(seen()).toEqual(Array.from({ length: 150 }, (_, i) => i))
    stop()
    expect(await status).toBe(0)
  })

  test("--follow does not join the halves of two files", async () => {
    writeFileSync(file, '{"half":')
    const { status, out, stop } = audit(["-f", file])
    renameSync(file, `${file}.1`)
    writeFileSync(file, line({ whole: 1 }))
    await until(() => out.stdout !== "")
    appendFileSync(file, line({ whole: 2 }))
    await until(() => out.stdout.endsWith(line({ whole: 2 })))
    expect(out.stdout).toBe(line({ whole: 1 }) + line({ whole: 2 }))
    stop()
    expect(await status).toBe(0)
  })

  test("says when the file can't be read, with status 1", async () => {
    const { status, out } = audit([file])
    expect([await status, out.stderr]).toEqual([1, "serverfs audit: the file can't be read (ENOENT)\n"])
  })

  test.each([[[]], [["--nope", "x"]], [["--tool"]], [["a", "b"]]])("refuses %j with status 2", async (argv) => {
    const { status, out } = audit(argv)
    expect(await status).toBe(2)
    expect(out.stderr).toContain("Usage: serverfs audit")
  })
})

test("an interrupt ends --follow though nobody reads what it printed", async () => {
  writeFileSync(file, line({ event: "tool_call", path: "x".repeat(1000) }).repeat(2000))
  const unread = `exec "$@" > >(exec sleep 5)`
  const child = Bun.spawn(["bash", "-c", unread, "bash", process.execPath, "--no-env-file", MAIN, "audit", "--follow", file], { env: { HOME: dir, PATH: process.env["PATH"] }, stdin: "ignore", stdout: "ignore", stderr: "ignore" })
  // By then it has filled the pipe, and waits in write(2).
  await Bun.sleep(1000)
  child.kill("SIGINT")
  await child.exited
  expect(child.signalCode).toBe("SIGINT")
})
