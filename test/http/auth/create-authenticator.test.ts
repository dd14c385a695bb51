import { describe, expect, test } from "bun:test"
import { createAuthenticator } from "../../../src/http/auth/create-authenticator.ts"
import { openState } from "../../../src/state/state.ts"
import { stateDirectory } from "../../state/state-directory.ts"

const directory = stateDirectory()
const STATIC = "a-static-token-of-at-least-32-characters"
const ALL = { mounts: null, workdirs: null, readOnly: false, expires: null }

describe("createAuthenticator", () => {
  test.each([
    ["as it is", `Bearer ${STATIC}`],
    ["in lower case", `bearer ${STATIC}`],
    ["in upper case", `BEARER ${STATIC}`],
    ["after several blanks", `Bearer   ${STATIC} `],
  ])("verify() accepts the scheme %s", (_, header) => {
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: STATIC }, state })
    expect(verify(header, "/mcp")).toEqual({ principal: { name: "static", mounts: null, workdirs: null, readOnly: false } })
  })

  test.each([null, "", "  ", "Bearer", "Bearer ", STATIC, `Bearer${STATIC}`, `Basic ${STATIC}`])("verify() says missing for %p", (header) => {
    using state = openState(directory())
    expect(createAuthenticator({ config: { token: STATIC }, state }).verify(header, "/mcp")).toEqual({ refused: "missing" })
  })

  test.each([
    `Bearer ${STATIC}x`, `Bearer ${STATIC.slice(1)}`,
    `Bearer ${STATIC.toUpperCase()}`, `Bearer ${STATIC} ${STATIC}`, `Bearer ${STATIC}, Bearer ${STATIC}`, `Bearer\t${STATIC}`,
    `Bearer ${"x".repeat(5000)}`, `Bearer null`, `Bearer undefined`,
  ])("verify() says invalid for %p", (header) => {
    using state = openState(directory())
    expect(createAuthenticator({ config: { token: STATIC }, state }).verify(header, "/mcp")).toEqual({ refused: "invalid" })
  })

  test("verify() gives a named token's rights", () => {
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: null }, state })
    const text = state.tokens.create("ci", { mounts: ["/mcp"], workdirs: ["src"], readOnly: true, expires: null }, 0)
    expect(verify(`Bearer ${text}`, "/files-mcp")).toEqual({
      principal: { name: "ci", mounts: new Set(["/mcp"]), workdirs: new Set(["src"]), readOnly: true },
    })
  })

  test("verify() refuses a token on the very next call after another process revoked it", () => {
    using state = openState(directory())
    using command = openState(directory())
    const { verify } = createAuthenticator({ config: { token: null }, state })
    const text = command.tokens.create("ci", ALL, 0)
    expect(verify(`Bearer ${text}`, "/mcp")).toHaveProperty("principal")
    command.tokens.revoke("ci")
    expect(verify(`Bearer ${text}`, "/mcp")).toEqual({ refused: "invalid" })
  })

  test("verify() refuses a token from the moment it expires", () => {
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: null }, state })
    const late = state.tokens.create("late", { ...ALL, expires: Date.now() - 1 }, 0)
    const soon = state.tokens.create("soon", { ...ALL, expires: Date.now() + 60_000 }, 0)
    expect(verify(`Bearer ${late}`, "/mcp")).toEqual({ refused: "invalid" })
    expect(verify(`Bearer ${soon}`, "/mcp")).toHaveProperty("principal")
  })

  test("verify() remembers the use of a token", () => {
    using state = openState(directory())
    const text = state.tokens.create("ci", ALL, 0)
    const before = Date.now()
    createAuthenticator({ config: { token: null }, state }).verify(`Bearer ${text}`, "/mcp")
    expect(state.tokens.list()[0]?.lastUsed).toBeGreaterThanOrEqual(before)
  })

  test("no amount of guessing locks a valid token out", () => {
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: STATIC }, state })
    const text = state.tokens.create("ci", ALL, 0)
    for (let i = 0; i < 20_000; i++) expect(verify(`Bearer sfs_${i}`, "/mcp")).toEqual({ refused: "invalid" })
    expect(verify(`Bearer ${text}`, "/mcp")).toHaveProperty("principal")
    expect(verify(`Bearer ${STATIC}`, "/mcp")).toHaveProperty("principal")
  })
})
