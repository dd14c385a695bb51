import { describe, expect, test } from "bun:test"
import type { Served } from "../../../src/cli/commands/token-context.ts"
import { run } from "../../../src/cli/commands/token.ts"
import { createAuthenticator } from "../../../src/http/auth/create-authenticator.ts"
import { lockGateway } from "../../../src/state/gateway-lock.ts"
import { openState } from "../../../src/state/state.ts"
import { stateDirectory } from "../../state/state-directory.ts"

const directory = stateDirectory()
const NOW = Date.parse("2026-11-30T12:00:00Z")
const served = { mounts: ["/mcp"], aliases: ["src", "docs"] }

const tokenWhere = (served: Served) => (...argv: string[]) => {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  const status = run(argv, { stateDir: directory(), served, now: NOW, stdout: into("stdout"), stderr: into("stderr") })
  return { status, ...out }
}

const token = tokenWhere(served)

const text = (created: { stdout: string }): string => created.stdout.trimEnd()

describe("token create", () => {
  test("prints the text alone on stdout, and it opens what it was made for", () => {
    lockGateway(directory())[Symbol.dispose]()
    const created = token("create", "--name", "ci", "--mount", "/mcp", "--workdir", "src", "--workdir", "docs", "--read-only", "--expires", "90d")
    expect(created.status).toBe(0)
    expect(created.stdout).toMatch(/^sfs_[A-Za-z0-9_-]{43}\n$/)
    expect(created.stderr).toBe(`Token 'ci' is made in ${directory()}: read-only, mounts /mcp, workdirs src,docs, until 2027-02-28 12:00Z. It is shown this once:\n`)
    using state = openState(directory())
    expect(createAuthenticator({ config: { token: null }, state }).verify(`Bearer ${text(created)}`, "/mcp")).toEqual({
      principal: { name: "ci", mounts: new Set(["/mcp"]), workdirs: new Set(["src", "docs"]), readOnly: true },
    })
  })

  test("gives everything, for good, when nothing is said", () => {
    expect(token("create", "--name=all").stderr).toContain("read-write, mounts all, workdirs all, without an end")
  })

  test("warns when no gateway has run on the directory, which may be the wrong one", () => {
    const unknown = "warning: no gateway has run on this state directory yet"
    expect(token("create", "--name", "a")).toMatchObject({ status: 0, stderr: expect.stringContaining(unknown) })
    lockGateway(directory())[Symbol.dispose]()
    expect(token("create", "--name", "b").stderr).not.toContain(unknown)
  })

  test("warns of a mount and a workdir that this command was not told of, and makes the token", () => {
    const created = token("create", "--name", "ci", "--mount", "/files-mcp", "--workdir", "SRC")
    expect(created.stderr).toContain("warning: the configuration given to this command mounts nothing at /files-mcp; the token works if the gateway has one;")
    expect(created.stderr).toContain("warning: the configuration given to this command has no workdir called SRC (names are case-sensitive); the token works if the gateway has one; with the gateway's own --dir or --env-file this command can check it\n")
    expect([created.status, text(created).length]).toEqual([0, 47])
  })

  test("opens /mcp alone when workdirs are named and no mount is", () => {
    const both = tokenWhere({ ...served, mounts: ["/mcp", "/files-mcp"] })
    expect(both("create", "--name", "a", "--workdir", "src").stderr).toContain("mounts /mcp, workdirs src")
    expect(both("create", "--name", "b", "--workdir", "src", "--mount", "/files-mcp").stderr).toContain("mounts /files-mcp, workdirs src")
    expect(both("create", "--name", "d", "--workdir", "src", "--mount", "/mcp").stderr).not.toContain("workdir called")
    const wide = both("create", "--name", "e", "--workdir", "src", "--mount", "/mcp", "--mount", "/files-mcp").stderr
    expect(wide).toContain("warning: /files-mcp has no workdirs: --workdir does not narrow what the token opens there\n")
    expect(both("create", "--name", "c").stderr).not.toContain("mounts /mcp")
  })

  test("leaves a token whose name is taken as it is, with status 1", () => {
    token("create", "--name", "ci")
    expect(token("create", "--name", "ci", "--read-only")).toMatchObject({ status: 1, stdout: "" })
    expect(token("list").stdout).toContain("read-write")
  })

  test.each([
    [[]],
    [["--name"]],
    [["--name", ""]],
    [["--name", "static"]],
    [["--name", "first"]],
    [["--name", "../x"]],
    [["--name", "a b"]],
    [["--name", "a\u001b[2K"]],
    [["--name", "é"]],
    [["--name", "x".repeat(65)]],
    [["--name", "a", "--mount", "mcp"]],
    [["--name", "a", "--mount", "/mcp/../x"]],
    [["--name", "a", "--workdir", "9"]],
    [["--name", "a", "--workdir", ""]],
    [["--name", "a", "--expires", "0d"]],
    [["--name", "a", "--expires", "-1d"]],
    [["--name", "a", "--expires", "90"]],
    [["--name", "a", "--expires", "101y"]],
    [["--name", "a", "--expires", "1.5d"]],
    [["--name", "a", "--readonly"]],
    [["--name", "a", "extra"]],
    [["--name", "q", "--name", "r"]],
    [["--name", "a", "--expires", "1d", "--expires=90d"]],
  ])("refuses %j with status 2 and makes nothing", (argv) => {
    const refused = token("create", ...argv)
    expect(refused).toMatchObject({ status: 2, stdout: "" })
    expect(refused.stderr).toStartWith("serverfs token: ")
    expect(refused.stderr).not.toContain("\u001b")
    using state = openState(directory())
    expect(state.tokens.list()).toEqual([])
  })
})

describe("token list", () => {
  test("shows rights and times, never a text or a digest", () => {
    const made = text(token("create", "--name", "ci", "--workdir", "src", "--expires", "1h"))
    const { stdout } = token("list")
    expect(stdout).toBe(
      "NAME  ACCESS      MOUNTS  WORKDIRS  CREATED            EXPIRES            LAST USED\n"
      + "ci    read-write  /mcp    src       2026-11-30 12:00Z  2026-11-30 13:00Z  never\n",
    )
    expect(stdout).not.toContain(made.slice(4, 12))
  })

  test("says when there is none", () => {
    expect(token("list")).toEqual({ status: 0, stdout: "", stderr: `There are no named tokens in ${directory()}.\n` })
  })
})

describe("token revoke", () => {
  test("ends a token, beside a gateway that has the state open", () => {
    const made = text(token("create", "--name", "ci"))
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: null }, state })
    expect(verify(`Bearer ${made}`, "/mcp")).toHaveProperty("principal")
    expect(token("revoke", "ci")).toMatchObject({ status: 0, stderr: "Token 'ci' is revoked: its next call is refused.\n" })
    expect(verify(`Bearer ${made}`, "/mcp")).toEqual({ refused: "invalid" })
  })

  test("says when there is no such token, with status 1", () => {
    expect(token("revoke", "n\u001b[2K")).toEqual({ status: 1, stdout: "", stderr: "serverfs token: there is no token 'n\\u001b[2K'\n" })
  })
})

describe("token", () => {
  test.each([[[]], [["remove"]], [["list", "x"]], [["revoke"]], [["revoke", "a", "b"]]])("refuses %j with status 2", (argv) => {
    expect(token(...argv)).toMatchObject({ status: 2, stdout: "" })
  })
})
