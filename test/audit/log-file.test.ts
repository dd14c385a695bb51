import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { LogFile } from "../../src/audit/log-file.ts"

let dir: string
let path: string
const noTrouble = (code: string): void => expect.unreachable(code)
const lines = (...texts: string[]): Uint8Array => Buffer.from(texts.map((text) => `${text}\n`).join(""))
const read = (name: string): string => readFileSync(join(dir, name), "utf8")

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "log-file-"))
  path = join(dir, "audit.jsonl")
})
afterEach(() => rmSync(dir, { recursive: true }))

describe("LogFile", () => {
  test("makes the file for its owner alone whatever the umask", () => {
    const before = process.umask(0)
    new LogFile({ path, maxBytes: 100, keep: 1 }, noTrouble).close()
    process.umask(before)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test("append() adds to what is there", () => {
    writeFileSync(path, "old\n")
    new LogFile({ path, maxBytes: 100, keep: 1 }, noTrouble).append(lines("new"))
    expect(read("audit.jsonl")).toBe("old\nnew\n")
  })

  test("ends a line that a killed process left half written", () => {
    writeFileSync(path, '{"event":"tool_c')
    new LogFile({ path, maxBytes: 100, keep: 1 }, noTrouble).append(lines("new"))
    expect(read("audit.jsonl")).toBe('{"event":"tool_c\nnew\n')
  })

  test("append() rotates between lines and keeps as many files as it is told", () => {
    const log = new LogFile({ path, maxBytes: 10, keep: 2 }, noTrouble)
    log.append(lines("1234", "5678", "abcd", "efgh"))
    log.append(lines("ijkl", "mnop", "qrst", "uvwx", "yz"))
    expect(readdirSync(dir).sort()).toEqual(["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"])
    expect([read("audit.jsonl.2"), read("audit.jsonl.1"), read("audit.jsonl")]).toEqual(["ijkl\nmnop\n", "qrst\nuvwx\n", "yz\n"])
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
  })

  test("append() writes a line that is longer than a file may be, alone", () => {
    const log = new LogFile({ path, maxBytes: 8, keep: 3 }, noTrouble)
    log.append(lines("a", "a line that is longer", "b"))
    expect([read("audit.jsonl.2"), read("audit.jsonl.1"), read("audit.jsonl")]).toEqual(["a\n", "a line that is longer\n", "b\n"])
  })

  test("append() keeps no old file when keep is 0", () => {
    const log = new LogFile({ path, maxBytes: 8, keep: 0 }, noTrouble)
    log.append(lines("123456", "abcdef"))
    expect(readdirSync(dir)).toEqual(["audit.jsonl"])
    expect(read("audit.jsonl")).toBe("abcdef\n")
  })

  test("append() rotates at once however many files may be kept, and each becomes one older, up to a gap", () => {
    const log = new LogFile({ path, maxBytes: 8, keep: 2 ** 31 }, noTrouble)
    for (const age of [1, 2, 4]) writeFileSync(`${path}.${age}`, `${age}\n`)
    log.append(lines("123456", "abcdef"))
    const ages = ["audit.jsonl", ...[1, 2, 3, 4].map((age) => `audit.jsonl.${age}`)]
    expect(readdirSync(dir).sort()).toEqual(ages)
    expect(ages.map(read)).toEqual(["abcdef\n", "123456\n", "1\n", "2\n", "4\n"])
  })

  test("append() records on when a rotation fails, and says so", () => {
    const troubles: string[] = []
    const log = new LogFile({ path, maxBytes: 8, keep: 1 }, (code) => troubles.push(code))
    // A directory with something in it can't be renamed over, not even by root.
    mkdirSync(`${path}.1/in-the-way`, { recursive: true })
    log.append(lines("123456", "abcdef"))
    expect(read("audit.jsonl")).toBe("123456\nabcdef\n")
    expect(troubles).toEqual(["EISDIR"])
    rmSync(`${path}.1`, { recursive: true })
    log.append(lines("ghijkl"))
    expect([read("audit.jsonl.1"), read("audit.jsonl")]).toEqual(["123456\nabcdef\n", "ghijkl\n"])
  })

  test("refuses a symlink, a FIFO and a directory in the file's place", () => {
    symlinkSync(join(dir, "elsewhere"), path)
    expect(() => new LogFile({ path, maxBytes: 8, keep: 1 }, noTrouble)).toThrow("ELOOP")
    expect(existsSync(join(dir, "elsewhere"))).toBe(false)
    expect(() => new LogFile({ path: dir, maxBytes: 8, keep: 1 }, noTrouble)).toThrow("EISDIR")
    const fifo = join(dir, "fifo")
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0)
    chmodSync(fifo, 0o600)
    expect(() => new LogFile({ path: fifo, maxBytes: 8, keep: 1 }, noTrouble)).toThrow("not a regular file")
  })
})
