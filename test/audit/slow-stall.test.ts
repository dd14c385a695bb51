/** What the audit does when its sink does not take lines. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { auditProcess, parsed } from "./audit-process.ts"

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "audit-"))
})
afterEach(() => rmSync(dir, { recursive: true }))

const named = (events: Record<string, unknown>[], name: string) => events.filter(({ event }) => event === name)

describe("openAudit", () => {
  test("a reader that stops reading freezes nothing: reads are dropped and counted, changes under way are kept", async () => {
    const fifo = join(dir, "stderr")
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0)
    const reader = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const process = auditProcess(`
      const audit = openAudit({ level: "INFO" })
      const path = "p".repeat(900)
      let slowest = 0
      for (let i = 0; i < 12_000; i++) {
        audit.event("tool_call", { i, path })
        if (i % 100 !== 0) continue
        const before = performance.now()
        await tick()
        slowest = Math.max(slowest, performance.now() - before)
      }
      const stalled = audit.stalled
      for (let i = 0; i < 300; i++) audit.event("tool_call", { change: i, path }, "INFO", "kept")
      say({ stalled, slowest })
      while (audit.stalled) await Bun.sleep(5)
      audit.event("tool_call", { last: true })
      await audit.close()
    `, `exec "$@" 2>'${fifo}'`)

    const heard = (await process.heard()) as { stalled: boolean; slowest: number }
    expect(heard.stalled).toBe(true)
    expect(heard.slowest).toBeLessThan(500)

    const chunks: Buffer[] = []
    let running = true
    void process.child.exited.then(() => (running = false))
    const chunk = Buffer.alloc(1 << 20)
    for (;;) {
      try {
        chunks.push(Buffer.from(chunk.subarray(0, readSync(reader, chunk))))
      } catch {
        if (!running) break
        await Bun.sleep(2)
      }
    }
    closeSync(reader)

    const events = parsed(Buffer.concat(chunks).toString())
    const dropped = named(events, "audit_dropped")
    const reads = events.filter(({ i }) => i !== undefined)
    expect(dropped).toHaveLength(1)
    expect(reads.length + Number(dropped[0]?.count)).toBe(12_000)
    expect(reads.map(({ i }) => i)).toEqual(Array.from({ length: reads.length }, (_, i) => i))
    expect(events.filter(({ change }) => change !== undefined).map(({ change }) => change)).toEqual(Array.from({ length: 300 }, (_, i) => i))
    expect(events.at(-1)).toMatchObject({ last: true })
    expect(events.at(-2)).toMatchObject({ event: "audit_dropped", sink: "stderr" })
  }, 20_000)

  test("a stderr that nothing can be written to stalls the audit, the file says why, and close() gives up after 1 s", async () => {
    const path = join(dir, "audit.jsonl")
    const process = auditProcess(`
      const audit = openAudit({ level: "INFO", file: { path: ${JSON.stringify(path)}, maxBytes: 2 ** 30, keep: 1 } })
      for (let i = 0; i < 10_000; i++) { audit.event("tool_call", { i, path: "p".repeat(900) }); if (i % 500 === 0) await tick() }
      say(audit.stalled)
      const before = performance.now()
      await audit.close()
      say(performance.now() - before)
      process.exit(0)
    `, 'exec "$@" 2>/dev/full')
    expect(await process.heard()).toBe(true)
    expect(await process.heard()).toBeWithin(900, 2500)
    expect(await process.child.exited).toBe(0)
    const events = parsed(readFileSync(path, "utf8"))
    expect(named(events, "tool_call").length + Number(named(events, "audit_dropped")[0]?.count ?? 0)).toBe(10_000)
    expect(named(events, "audit_sink_failed")).toMatchObject([{ sink: "stderr", reason: "ENOSPC", level: "ERROR" }])
  }, 20_000)

  test("an audit file that can't grow stalls the audit and ends nothing; when it can again, no line is broken", async () => {
    const path = join(dir, "audit.jsonl")
    const process = auditProcess(`
      const audit = openAudit({ level: "INFO", file: { path: ${JSON.stringify(path)}, maxBytes: 2 ** 30, keep: 1 } })
      for (let i = 0; i < 12_000; i++) { audit.event("tool_call", { i, path: "p".repeat(900) }); if (i % 500 === 0) await tick() }
      say(audit.stalled)
      await told()
      while (audit.stalled) await Bun.sleep(5)
      say(audit.stalled)
      await audit.close()
      process.exit(0)
    `, `trap "" XFSZ; ulimit -S -f 100; exec "$@" 2>/dev/null`)
    expect(await process.heard()).toBe(true)
    // What a full disk and its clearing are to a writer, without a disk to fill: a size limit that is lifted.
    expect(Bun.spawnSync(["prlimit", "--pid", String(process.child.pid), "--fsize=unlimited:unlimited"]).exitCode).toBe(0)
    process.tell()
    expect(await process.heard()).toBe(false)
    expect(await process.child.exited).toBe(0)
    const events = parsed(readFileSync(path, "utf8"))
    const [dropped] = named(events, "audit_dropped")
    expect(dropped).toMatchObject({ sink: "file" })
    expect(named(events, "tool_call").length + Number(dropped?.count)).toBe(12_000)
    expect(named(events, "audit_sink_failed")).toMatchObject([{ sink: "file", reason: "EFBIG" }])
  }, 20_000)
})

describe("writeEventNow", () => {
  test("gives up on a stderr that nothing can be written to", async () => {
    const { child } = auditProcess('writeEventNow("startup_failed"); process.exit(2)', 'exec "$@" 2>/dev/full')
    expect(await child.exited).toBe(2)
  })
})
