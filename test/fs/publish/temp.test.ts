import { describe, expect, test } from "bun:test"
import { readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { NamedTemp } from "../../../src/fs/publish/temp.ts"
import { Root } from "../../../src/fs/root.ts"
import { codeOf } from "../../helpers/in-lane.ts"
import { scratch } from "../../helpers/scratch.ts"

/** What NamedTemp.assertOurs() says after `meanwhile` has been done to the directory and the one name in it. */
async function after(meanwhile: (directory: string, temp: string) => void): Promise<string> {
  using dir = scratch({})
  using root = Root.open(dir.path)
  using temp = NamedTemp.create(root.self, 0o600, "a.txt")
  meanwhile(dir.path, dir.at(readdirSync(dir.path)[0] ?? ""))
  return codeOf(() => temp.assertOurs())
}

describe("NamedTemp.assertOurs()", () => {
  test("is PATH_NOT_FOUND when the directory was removed, as by a recursive delete beside it", async () => {
    expect(await after((directory) => rmSync(directory, { recursive: true }))).toBe("PATH_NOT_FOUND")
    expect(await after((_, temp) => unlinkSync(temp))).toBe("PATH_NOT_FOUND")
  })

  test("is MUTATION_IO_ERROR when something else has the name", async () => {
    const other = (_: string, temp: string): void => {
      writeFileSync(`${temp}.other`, "other")
      renameSync(`${temp}.other`, temp)
    }
    expect(await after(other)).toBe("MUTATION_IO_ERROR")
  })
})
