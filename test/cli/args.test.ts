import { describe, expect, test } from "bun:test"
import { parseCommandLine } from "../../src/cli/args.ts"
import { COMMANDS } from "../../src/cli/command-table.ts"

const NOTHING = {
  command: "serve",
  rest: [],
  options: { dirs: [], envFile: null, host: null, port: null },
  check: false,
  newToken: false,
  help: false,
  version: false,
}

function line(...argv: string[]) {
  const parsed = parseCommandLine(argv)
  return parsed.ok ? parsed.line : undefined
}

function faults(...argv: string[]): string[] {
  const parsed = parseCommandLine(argv)
  return parsed.ok ? [] : parsed.faults.map(({ variable, message }) => `${variable}: ${message}`)
}

describe("parseCommandLine()", () => {
  test("nothing, and serve, are the same", () => {
    expect<unknown>([line(), line("serve")]).toEqual([NOTHING, NOTHING])
  })

  test("takes every option, in both spellings, before and after serve", () => {
    const options = { dirs: ["a=/x", "b=/y:rw"], envFile: "e", host: "h", port: "1" }
    const expected = { ...NOTHING, options, check: true, newToken: true }
    const words = ["--dir", "a=/x", "--dir=b=/y:rw", "--env-file", "e", "--host=h", "--port", "1", "--check", "--new-token"]
    expect<unknown>(line(...words)).toEqual(expected)
    expect<unknown>(line("serve", ...words)).toEqual(expected)
    expect<unknown>(line(...words.slice(0, 3), "serve", ...words.slice(3))).toEqual(expected)
  })

  test.each([["-h", "help"], ["--help", "help"], ["-v", "version"], ["--version", "version"]])("%s asks for the %s", (word, name) => {
    expect<unknown>(line(word)).toEqual({ ...NOTHING, [name]: true })
  })

  test.each(Object.keys(COMMANDS).filter((name) => name !== "serve"))("%s gets its own arguments, options of ours taken out", (command) => {
    const parsed = line("--port", "9", command, "create", "--name", "N", "--dir", "a=/x", "--help", "--read-only", "--env-file=e", "--", "-x")
    expect<unknown>(parsed).toEqual({
      ...NOTHING, command, rest: ["create", "--name", "N", "--help", "--read-only", "--", "-x"], options: { dirs: ["a=/x"], envFile: "e", host: null, port: "9" },
    })
  })

  test.each([
    [["--prot", "9"], "--prot: there is no such option; did you mean --port?"],
    [["--chekc"], "--chekc: there is no such option; did you mean --check?"],
    [["--entirely-else"], "--entirely-else: there is no such option; see --help"],
    [["-x"], "-x: there is no such option; see --help"],
    [["--constructor"], "--constructor: there is no such option; see --help"],
    [["serve", "--prot=9"], "--prot: there is no such option; did you mean --port?"],
    [["--verbose", "token"], "--verbose: there is no such option; see --help"],
    [["tokn"], '"tokn": there is no such command; did you mean token?'],
    [["toString"], '"toString": there is no such command; see --help'],
    [["serve", "/srv"], '"/srv": serve takes no arguments; name a directory with --dir ALIAS=PATH[:rw]'],
    [["--dir"], "--dir: needs a value; write --dir ALIAS=PATH[:rw]"],
    [["--dir", "--check"], "--dir: needs a value; write --dir ALIAS=PATH[:rw]"],
    [["doctor", "--port"], "--port: needs a value; write --port N"],
    [["--check=yes"], "--check: takes no value; write just --check"],
    [["--port", "1", "--port=2"], "--port: is given more than once; keep one"],
    [["--env-file=a", "token", "--env-file=b"], "--env-file: is given more than once; keep one"],
  ])("%j is one fault", (argv, fault) => {
    expect(faults(...argv)).toEqual([fault])
  })

  test("all faults come at once", () => {
    expect(faults("--prot", "--check=1", "--dir")).toHaveLength(3)
  })

  test.each([
    [["--portt=1", "--dir", "a=/x"], { dirs: ["a=/x"], check: false }],
    [["--prot=9", "--check"], { dirs: [], check: true }],
    [["serve", "--dir", "--port=1", "/srv"], { dirs: [], check: false }],
    [["serve", "/srv", "--dir=a=/x"], { dirs: ["a=/x"], check: false }],
  ])("of a start that is at fault, %j, it gives what was understood", (argv, { dirs, check }) => {
    expect(parseCommandLine(argv)).toMatchObject({ ok: false, start: { options: { dirs }, check } })
  })

  test.each([[["tokn"]], [["token", "--port"]], [["--verbose", "token"]]])("%j is not a start", (argv) => {
    expect(parseCommandLine(argv)).toMatchObject({ ok: false, start: null })
  })

  test("a value may be empty or start with a dash when it is joined", () => {
    expect(line("--host=", "--env-file=-x")?.options).toEqual({ dirs: [], envFile: "-x", host: "", port: null })
  })
})
