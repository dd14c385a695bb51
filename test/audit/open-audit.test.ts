import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAudit } from "../../src/audit/open-audit.ts"
import { auditProcess, parsed } from "./audit-process.ts"

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "audit-"))
})
afterEach(() => rmSync(dir, { recursive: true }))

describe("openAudit", () => {
  test("event() writes one line an event, in order, and close() waits for all of them", async () => {
    const { child, stderr } = auditProcess(`
      const audit = openAudit({ level: "INFO" })
      for (let i = 0; i < 5000; i++) { audit.event("tool_call", { i }); if (i % 7 === 0) await tick() }
      await audit.close()
      process.exit(0)
    `, 'exec "$@"')
    expect(parsed(await stderr).map(({ i }) => i)).toEqual(Array.from({ length: 5000 }, (_, i) => i))
    expect(await child.exited).toBe(0)
  })

  test("event() heeds the log level for what is optional, and for nothing else", async () => {
    const { stderr } = auditProcess(`
      const audit = openAudit({ level: "ERROR" })
      audit.event("startup", {}, "INFO")
      audit.event("auth_failed", {}, "WARNING")
      audit.event("tool_call", {}, "INFO", "droppable")
      audit.event("oauth_granted", {}, "INFO", "kept")
      audit.event("broken", {}, "ERROR")
      await audit.close()
    `, 'exec "$@"')
    expect(parsed(await stderr).map(({ event }) => event)).toEqual(["tool_call", "oauth_granted", "broken"])
  })

  test.each(["auth_failed", "request_refused"])("event() writes %s ten times a minute and counts the rest", async (name) => {
    const { stderr } = auditProcess(`
      const audit = openAudit({ level: "INFO" })
      for (let i = 0; i < 1000; i++) audit.event("${name}", { i }, "WARNING")
      await audit.close()
    `, 'exec "$@"')
    const events = parsed(await stderr)
    expect(events).toHaveLength(11)
    expect(events.at(-1)).toMatchObject({ event: name, suppressed: 990 })
  })

  test("does not keep a process alive by itself", async () => {
    const { child } = auditProcess('openAudit({ level: "INFO" }).event("x")', 'exec "$@"')
    expect(await child.exited).toBe(0)
  })

  test("throws a fault of SERVERFS_AUDIT_FILE when the audit file can't be opened", () => {
    const open = (path: string) => () => openAudit({ level: "INFO", file: { path, maxBytes: 100, keep: 1 } })
    expect(open(join(dir, "missing/audit.jsonl"))).toThrow(expect.objectContaining({ variable: "SERVERFS_AUDIT_FILE", message: expect.stringContaining("ENOENT") }))
    expect(open(dir)).toThrow(/EISDIR/)
  })

  test("a reader that has gone ends nothing, and the next one gets what was waiting", async () => {
    const fifo = join(dir, "stderr")
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0)
    const first = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const process = auditProcess(`
      const audit = openAudit({ level: "INFO" })
      say("open")
      await told()
      audit.event("tool_call", { waiting: true })
      await Bun.sleep(100)
      say("alive")
      await audit.close()
    `, `exec "$@" 2>'${fifo}'`)
    expect(await process.heard()).toBe("open")
    closeSync(first)
    process.tell()
    expect(await process.heard()).toBe("alive")
    expect(parsed(await Bun.file(fifo).text())).toMatchObject([{ waiting: true }, { event: "audit_sink_failed", reason: "EPIPE" }])
    expect(await process.child.exited).toBe(0)
  })
})

describe("writeEventNow", () => {
  test("arrives although the process ends right after", async () => {
    const { child, stderr } = auditProcess('writeEventNow("startup_failed", { faults: 2 }); process.exit(2)', 'exec "$@"')
    expect(await child.exited).toBe(2)
    expect(parsed(await stderr)).toMatchObject([{ event: "startup_failed", level: "ERROR", faults: 2 }])
  })
})
