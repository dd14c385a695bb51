import { describe, expect, test } from "bun:test"
import { Database } from "bun:sqlite"
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MIGRATIONS } from "../../src/state/migrations.ts"
import { openState } from "../../src/state/state.ts"
import { StateFault } from "../../src/state/state-fault.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const mode = (path: string): number => statSync(path).mode & 0o7777
const RIGHTS = { mounts: null, workdirs: null, readOnly: false, expires: null }

describe("openState", () => {
  test("makes everything for its owner alone whatever the umask", () => {
    const before = process.umask(0)
    using state = openState(directory())
    state.tokens.create("ci", RIGHTS, 0)
    process.umask(before)
    expect(mode(directory())).toBe(0o700)
    const files = readdirSync(directory())
    expect(files.sort()).toEqual(["state.db", "state.db-shm", "state.db-wal"])
    for (const file of files) expect([file, mode(join(directory(), file))]).toEqual([file, 0o600])
  })

  test.each([0o750, 0o705, 0o777, 0o720])("refuses a directory of mode %o and says chmod", (open) => {
    mkdirSync(directory())
    chmodSync(directory(), open)
    expect(() => openState(directory())).toThrow(/open to other users.*chmod 700/)
    expect(readdirSync(directory())).toEqual([])
  })

  test("refuses a directory of another user, root being no exception", () => {
    const root = process.geteuid?.() === 0
    if (root) mkdirSync(directory(), { mode: 0o700 })
    if (root) expect(Bun.spawnSync(["chown", "12345", directory()]).exitCode).toBe(0)
    expect(() => openState(root ? directory() : "/usr")).toThrow(/belongs to user \d+ and this process runs as \d+/)
  })

  test("refuses a file in the directory's place", () => {
    writeFileSync(directory(), "")
    expect(() => openState(directory())).toThrow(StateFault)
  })

  test("keeps what it was told, for the next process", () => {
    let text: string | null
    {
      using state = openState(directory())
      text = state.tokens.create("ci", { ...RIGHTS, workdirs: ["src"] }, 5)
    }
    using state = openState(directory())
    expect(state.tokens.list()).toMatchObject([{ name: "ci", workdirs: ["src"], mounts: null, created: 5, lastUsed: null }])
    expect(text).toStartWith("sfs_")
  })

  test("refuses a state of a newer version and leaves it alone", () => {
    openState(directory())[Symbol.dispose]()
    const path = join(directory(), "state.db")
    const newer = new Database(path)
    newer.run(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
    newer.close()
    expect(() => openState(directory())).toThrow(/newer serverfs \(state version \d+, this one knows \d+\)/)
  })

  test("refuses what is no database", () => {
    mkdirSync(directory(), { mode: 0o700 })
    writeFileSync(join(directory(), "state.db"), "x".repeat(5000))
    expect(() => openState(directory())).toThrow(/state\.db can't be used/)
    expect(readFileSync(join(directory(), "state.db"), "utf8")).toBe("x".repeat(5000))
  })
})
