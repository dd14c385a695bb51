/** What the service publishes, computed from its tools. */
import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { ERRORS, type ErrorCode } from "../../../src/errors.ts"
import { Lanes } from "../../../src/lane/lanes.ts"
import type { Principal } from "../../../src/principal.ts"
import { openFiles } from "../../../src/services/files/index.ts"
import { LIMITS } from "../../helpers/limits.ts"

const FULL: Principal = { name: "full", mounts: null, workdirs: null, readOnly: false }
const FILES = { root: "/srv/share", configuredRoot: "/srv/share", maxBytes: 1_048_576, maxEntries: 10_000, readOnly: false, extraDenyGlobs: [] }

function opened(more: Partial<typeof FILES> = {}) {
  const lanes = new Lanes(() => {}, "rg")
  const service = openFiles({ files: { ...FILES, ...more }, limits: LIMITS }, lanes)
  if (service === null) throw new Error("it is configured")
  return service
}

describe("openFiles", () => {
  test("is null without a root", () => {
    expect(openFiles({ files: null, limits: LIMITS }, new Lanes(() => {}, "rg"))).toBeNull()
  })

  test("has exactly nine tools, one file each", () => {
    const names = ["copy", "create_file", "delete_file", "list_dir", "move", "read_file", "search", "stat", "update_file"]
    expect(opened().tools.map(({ name }) => name).sort()).toEqual(names)
    expect(readdirSync(`${import.meta.dir}/../../../src/services/files/tools`).map((file) => file.replace(".ts", "").replaceAll("-", "_")).sort()).toEqual(names)
  })

  test("publishes them within 8 KB, and instructions within 511 characters", () => {
    const { tools, instructions } = opened()
    const listed = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({ name, title, description, inputSchema, outputSchema, annotations }))
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(8192)
    expect(instructions.length).toBeLessThan(512)
  })

  test("says in a tool what differs from ServerFS, where both have one alike", () => {
    for (const { name, description } of opened().tools) {
      if (["create_file", "read_file", "update_file", "delete_file", "search"].includes(name)) expect([name, description.includes("ServerFS")]).toEqual([name, true])
    }
  })

  test("answers WRITE_TOO_LARGE with 400, and every other code as the table has it", () => {
    const { statusOf } = opened()
    const differing = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => statusOf(code) !== ERRORS[code].status)
    expect([differing, statusOf("WRITE_TOO_LARGE")]).toEqual([["WRITE_TOO_LARGE"], 400])
  })

  test("is read-only by its configuration or by the principal, but shows nine tools to whoever has full rights", () => {
    const reader = { ...FULL, readOnly: true }
    const access = (readOnly: boolean, principal: Principal) => opened({ readOnly }).resolve({}, principal).access
    expect([access(false, FULL), access(true, FULL), access(false, reader)]).toEqual(["read-write", "read-only", "read-only"])
    expect([opened({ readOnly: true }).readOnlyFor(FULL), opened().readOnlyFor(reader)]).toEqual([false, true])
  })

  test("tells the audit where a call went, relative to the root", () => {
    const { subject } = opened()
    expect(subject({ path: "/srv/share/a/./b" })).toEqual({ path: "a/b" })
    expect(subject({ src: "~/a", dst: "/etc/passwd" })).toEqual({ path: "a", target: "(outside)" })
    expect(subject({ path: 7, content: "secret" })).toEqual({})
  })
})
