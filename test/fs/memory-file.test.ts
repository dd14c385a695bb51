import { describe, expect, test } from "bun:test"
import { openSync, readFileSync, writeSync } from "node:fs"
import { memoryProgram } from "../../src/fs/memory-file.ts"

const TRUE = readFileSync("/bin/true")

describe("memoryProgram()", () => {
  test("can be executed by its procPath, by a thread too", async () => {
    using program = memoryProgram("test-true", TRUE)
    expect(await Bun.spawn([program.procPath]).exited).toBe(0)
    const source = `self.onmessage = async ({ data }) => self.postMessage(await Bun.spawn([data]).exited)`
    const worker = new Worker(URL.createObjectURL(new Blob([source])))
    const status = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
    worker.postMessage(program.procPath)
    expect(await status).toBe(0)
    worker.terminate()
  })

  test("can be changed by nobody: EPERM", () => {
    using program = memoryProgram("test-sealed", TRUE)
    const fd = openSync(program.procPath, "r+")
    expect(() => writeSync(fd, "x")).toThrow("EPERM")
    expect(readFileSync(program.procPath)).toEqual(TRUE)
  })

  test("is not passed on to children", async () => {
    using program = memoryProgram("test-inherited", TRUE)
    const listing = await Bun.spawn(["ls", "-l", "/proc/self/fd"]).stdout.text()
    expect(readFileSync(program.procPath)).toHaveLength(TRUE.length)
    expect(listing).not.toContain("test-inherited")
  })
})
