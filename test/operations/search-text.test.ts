import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import type { ToolError } from "../../src/errors.ts"
import { Root } from "../../src/fs/root.ts"
import type { DirectorySettings } from "../../src/operations/operation.ts"
import { MAX_UNITS, searchText, type SearchTextInput, type SearchTextOutput } from "../../src/operations/search-text.ts"
import { needleFor } from "../../src/operations/search-text/needle.ts"
import { ProposalReader } from "../../src/operations/search-text/proposal-reader.ts"
import { Policy } from "../../src/workdir/policy.ts"
import { parsePath } from "../../src/workdir/relpath.ts"
import { asNobody } from "../helpers/as-nobody.ts"
import type { Decoded } from "../helpers/decoded.ts"
import { codeOf, inLane, newCall, settingsOf, STRICT } from "../helpers/in-lane.ts"
import { LIMITS } from "../helpers/limits.ts"
import { scratch } from "../helpers/scratch.ts"

const INPUT: SearchTextInput = {
  query: "needle", path: "", glob: "", caseSensitive: true, limit: 50, regex: false, contextLines: 0, includeIgnored: false,
}

function search(root: string, input: Partial<SearchTextInput> = {}, settings: Partial<DirectorySettings> = {}): Promise<Decoded<SearchTextOutput>> {
  return inLane(settingsOf(root, settings), searchText, { ...INPUT, ...input })
}

async function hits(root: string, input: Partial<SearchTextInput> = {}, settings: Partial<DirectorySettings> = {}): Promise<string[]> {
  return (await search(root, input, settings)).matches.map(({ path, line }) => `${path}:${line}`)
}

async function texts(root: string, input: Partial<SearchTextInput> = {}): Promise<string[]> {
  return (await search(root, input)).matches.map(({ text }) => text)
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(() => "no refusal", (error: Error) => error.message)
}

describe("searchText()", () => {
  test("finds lines in files whose names are hard to write", async () => {
    const names = ["a\nb:1:2:x", "-e", "--pre=id", `"'\``, "\u001b[31m", "~x", "$(x)", "\\n", "a b", "日本/語"]
    using dir = scratch(Object.fromEntries(names.map((name) => [name, "x\nneedle\n"])))
    expect(await hits(dir.path)).toEqual([...names].sort().map((name) => `${name}:2`))
  })

  test("skips files whose names are not UTF-8, and goes on behind them", async () => {
    using dir = scratch({ "z": "needle" })
    writeFileSync(Buffer.concat([Buffer.from(`${dir.path}/`), Buffer.from([0x66, 0xff])]), "needle")
    expect(await hits(dir.path)).toEqual(["z:1"])
  })

  test("takes every query literally, options of ripgrep and of a shell included", async () => {
    const queries = ["-e", "--pre=id", "--", "$(x)", "`x`", "a.c", "(", "[", "\\", "\\d", "^", "*", " ", "\t", "'", "\r", "%s", "�", "😀"]
    using dir = scratch(Object.fromEntries(queries.map((query, index) => [`${index}`, `0${query}0\n`])))
    for (const [index, query] of queries.entries()) expect([query, await hits(dir.path, { query: `0${query}0` })]).toEqual([query, [`${index}:1`]])
  })

  test("reads the line itself: newline removed, CR kept, BOM removed, an unfinished last line whole", async () => {
    using dir = scratch({ "a": "\ufeffneedle 1\r\nneedle 2\nx\n\nneedle 3" })
    expect(await texts(dir.path)).toEqual(["needle 1\r", "needle 2", "needle 3"])
  })

  test("a line begins behind the BOM, and no literal finds the BOM itself", async () => {
    using dir = scratch({ "a": "\ufeff#needle\nx #needle\n", "b": "#needle\n", "c": "\ufeff\n" })
    expect(await hits(dir.path, { query: "^#needle", regex: true })).toEqual(["a:1", "b:1"])
    expect(await hits(dir.path, { query: "^$", regex: true })).toEqual(["c:1"])
    expect(await hits(dir.path, { query: "\ufeff#" })).toEqual([])
  })

  test("stops at a million characters of text, context lines among them, and says that there is more", async () => {
    using dir = scratch({ a: `needle${"x".repeat(2500)}\n`.repeat(100) })
    const { matches, truncated } = await search(dir.path, { query: "needle", limit: 100, contextLines: 10 })
    const units = matches.reduce((sum, { path, text, before, after }) => sum + [path, text, ...before, ...after].join("").length, 0)
    expect([units > MAX_UNITS, units < MAX_UNITS + 21 * 2001, matches.length < 100, truncated]).toEqual([true, true, true, true])
    expect(await search(dir.path, { query: "needle", limit: 100 })).toMatchObject({ truncated: false, matches: { length: 100 } })
  })

  test("a FIFO in the place of an ignore file holds up nobody: what is found is truncated, and a refusal says what to do", async () => {
    using dir = scratch({ "a": "needle\n", "q/b": "thread\n" })
    Bun.spawnSync(["mkfifo", dir.at("q/.gitignore")])
    const start = performance.now()
    const refused = (path: string) => search(dir.path, { query: "thread", path }).then(() => "nothing", (error: ToolError) => error.message)
    expect(await refused("")).toMatch(/^SEARCH_FAILED: 'q': an ignore file .*include_ignored=true/)
    expect(await refused("q")).toStartWith("SEARCH_FAILED: 'q': ")
    expect(await search(dir.path)).toMatchObject({ matches: [{ path: "a" }], truncated: true })
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(await hits(dir.path, { query: "thread", includeIgnored: true })).toEqual(["q/b:1"])
  })

  test("leaves out a file that can be opened and not read, and goes on", async () => {
    using dir = scratch({ "a.txt": "needle\n" })
    using root = Root.open("/proc/self")
    const directory = { root, policy: new Policy(STRICT), settings: settingsOf(dir.path) }
    const at = directory.policy.admit(parsePath(""))
    using reader = new ProposalReader(directory, at, 0, needleFor(INPUT), async () => {})
    // Its first page belongs to no mapping: read(2) says EIO.
    expect(await reader.read({ path: "mem", line: 1, offset: 0 })).toBeNull()
    expect(await reader.read({ path: "mem", line: 2, offset: 5 })).toBeNull()
  })

  test("loses nothing of other files when one that matched turns out to be binary further on", async () => {
    const late = `needle\n${"x\n".repeat(100_000)}\0\n`
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [[`bin${i}`, late], [`text${i}`, "needle\n"]]).flat())
    using dir = scratch(files)
    for (let round = 0; round < 3; round++) {
      const { matches } = await search(dir.path, { query: "needle" })
      expect(matches.map(({ path }) => path).filter((path) => path.startsWith("text"))).toHaveLength(10)
    }
  })

  test("leaves out lines that are not UTF-8, and files that are binary or UTF-16", async () => {
    const bad = Buffer.concat([Buffer.from("needle \xff\nneedle 2\n", "latin1")])
    const utf16 = Buffer.from("\ufeffneedle\n", "utf16le")
    using dir = scratch({ "bad": bad, "utf16": utf16, "bin": "needle\n\0\n", "late": `needle\n${"x".repeat(100_000)}\nneedle\0\n` })
    expect(await hits(dir.path, { query: "n", regex: true })).toEqual(["bad:2", "late:1"])
  })

  test("cuts text and context at 2,000 code points", async () => {
    const long = "😀".repeat(2001)
    using dir = scratch({ "a": `${long}\nneedle${long}\n${long}\n` })
    const [match] = (await search(dir.path, { contextLines: 1 })).matches
    expect(match?.text).toBe(`needle${"😀".repeat(1994)}`)
    expect([match?.before, match?.after]).toEqual([["😀".repeat(2000)], ["😀".repeat(2000)]])
    expect(match?.text_truncated).toBe(true)
  })

  test("gives as many context lines as there are, across blocks, with replacement characters where they are no UTF-8", async () => {
    const pad = "x".repeat(70_000)
    using dir = scratch({ "a": Buffer.concat([Buffer.from("\ufeffone\n"), Buffer.from([0xff, 0x0a]), Buffer.from(`${pad}\n\nneedle\n\n${pad}\nlast`)]) })
    const [match] = (await search(dir.path, { contextLines: 5 })).matches
    expect(match).toMatchObject({ line: 5, text: "needle", before: ["one", "\ufffd", "x".repeat(2000), ""], after: ["", "x".repeat(2000), "last"] })
    const [first] = (await search(dir.path, { query: "one", contextLines: 1 })).matches
    expect(first).toMatchObject({ before: [], after: ["\ufffd"] })
  })

  test("finds a literal at the end of a line of 5 MB, and across its blocks", async () => {
    using dir = scratch({ "a": `${"é".repeat(2_500_000)}needle\n`, "b": `${"x".repeat(65_533)}needle\n` })
    const { matches } = await search(dir.path)
    expect(matches.map(({ path, text_truncated }) => [path, text_truncated])).toEqual([["a", true], ["b", true]])
    expect(await hits(dir.path, { query: "NEEDLE", caseSensitive: false })).toEqual(["a:1", "b:1"])
  })

  test("folds case as Unicode does", async () => {
    using dir = scratch({ "a": "ÄRGER\nstraße\n\u212aelvin\nſet\n" })
    const insensitive = (query: string) => hits(dir.path, { query, caseSensitive: false })
    expect([await insensitive("ärger"), await insensitive("STRAẞE"), await insensitive("kelvin"), await insensitive("SET")]).toEqual([["a:1"], ["a:2"], ["a:3"], ["a:4"]])
  })

  test("takes CRLF for a line end in regular expressions", async () => {
    using dir = scratch({ "a": "needle\r\nneedles\r\n" })
    expect(await hits(dir.path, { query: "^needle$", regex: true })).toEqual(["a:1"])
  })

  test("is truncated only when more than limit lines can be shown", async () => {
    using dir = scratch({ "a": Buffer.from("needle \xff\n".repeat(5) + "needle\n".repeat(3), "latin1") })
    expect((await search(dir.path, { limit: 3 })).truncated).toBe(false)
    const more = await search(dir.path, { limit: 2 })
    expect([more.matches.length, more.truncated]).toEqual([2, true])
  })

  test("says truncated when a file holds more hidden matches than ripgrep is let look through", async () => {
    using dir = scratch({ "a": Buffer.from("needle \xff\n".repeat(1100) + "needle\n", "latin1") })
    expect(await search(dir.path)).toMatchObject({ matches: [], truncated: true })
  })

  test("lets neither ignore files nor the caller's glob release hidden, denied, reserved or version control names", async () => {
    const names = [".hidden", ".env", "x.pem", ".git/config", ".serverfs-tmp-1", "d/.ssh/config", "d/id_rsa", "blocked/x"]
    using dir = scratch({ ...Object.fromEntries(names.map((name) => [name, "needle"])), "ok": "needle" })
    for (const name of [".ignore", ".rgignore", ".gitignore"]) writeFileSync(dir.at(name), "!*\n!.*\n!**/*.pem\n!.env\n!.git/\n!.serverfs-tmp-1\n!blocked\n")
    const policy = { policy: { ...STRICT, extraDenyGlobs: ["blocked/**"] } }
    for (const glob of ["", "*", "**", "**/*", ".*", "*.pem", ".git/**", "{ok,.env,x.pem,.serverfs-tmp-1,blocked/x}", "/.hidden", "!ok"]) {
      expect([glob, (await hits(dir.path, { glob }, policy)).filter((hit) => hit !== "ok:1")]).toEqual([glob, []])
    }
    const open = { policy: { allowHidden: true, disableDefaultDeny: true, extraDenyGlobs: [] } }
    expect(await hits(dir.path, { glob: "*" }, open)).toEqual([".env:1", ".hidden:1", "blocked/x:1", "d/.ssh/config:1", "d/id_rsa:1", "ok:1", "x.pem:1"])
  })

  test("bears broken ignore files: bad globs, directories, loops, binary", async () => {
    using dir = scratch({ "a": "needle", "b": "needle", ".ignore": "[\n{\n\\\nb\n", ".gitignore": null, ".rgignore": { link: ".rgignore" }, "d/.ignore": Buffer.from([0xff, 0, 0x0a]), "d/c": "needle" })
    expect(await hits(dir.path)).toEqual(["a:1", "d/c:1"])
  })

  test("ignore files count at and below the searched directory, never above, and never when include_ignored", async () => {
    using dir = scratch({ ".gitignore": "up\nsub/a\n", "sub/.ignore": "b\n", "sub/a": "needle", "sub/b": "needle", "sub/up": "needle", "sub/c": "needle", ".git/info/exclude": "c\n" })
    expect(await hits(dir.path)).toEqual(["sub/c:1"])
    expect(await hits(dir.path, { path: "sub" })).toEqual(["sub/a:1", "sub/c:1", "sub/up:1"])
    expect(await hits(dir.path, { path: "sub", includeIgnored: true })).toEqual(["sub/a:1", "sub/b:1", "sub/c:1", "sub/up:1"])
  })

  test("follows no link and opens no FIFO", async () => {
    using outside = scratch({ "secret": "needle" })
    using dir = scratch({ "l": { link: outside.at("secret") }, "d": { link: outside.path }, "p": { fifo: true }, "a": "needle" })
    expect(await hits(dir.path)).toEqual(["a:1"])
  })

  test("counts what can't be opened and goes on", async () => {
    using dir = scratch({ "a": "needle", "no": "needle", "d/x": "needle", "e.pem": "needle" })
    for (const name of ["no", "d", "e.pem"]) chmodSync(dir.at(name), 0)
    using _ = asNobody(dir.path)
    expect(await search(dir.path)).toMatchObject({ matches: [{ path: "a" }], truncated: false, unreadable: 2 })
  })

  test.each([".git", ".git/hooks", "sub/.svn", ".hg"])("never searches version control, also when %s is where it begins", async (path) => {
    using dir = scratch({ ".git/hooks/x": "needle", "sub/.svn/x": "needle", ".hg/x": "needle", "a": "needle" })
    const hidden = { policy: { ...STRICT, allowHidden: true } }
    expect(await hits(dir.path, { path }, hidden)).toEqual([])
    expect(await hits(dir.path, {}, hidden)).toEqual(["a:1"])
  })

  test("a directory that may be read and not entered is ACCESS_DENIED", async () => {
    using dir = scratch({ "sub/a": "needle" })
    chmodSync(dir.at("sub"), 0o444)
    using _ = asNobody(dir.path)
    expect(await codeOf(search(dir.path, { path: "sub" }))).toBe("ACCESS_DENIED")
  })

  test("refuses a bad expression or glob with INVALID_ARGUMENTS and ripgrep's reason alone", async () => {
    using dir = scratch({ "a": "needle" })
    const cases: readonly (readonly [Partial<SearchTextInput>, string])[] = [
      [{ query: "(", regex: true }, "query: unclosed group"],
      [{ query: "(?=a)", regex: true }, "query: look-around, including look-ahead and look-behind, is not supported"],
      [{ query: "a\nb", regex: true }, `query: the literal "\\n" is not allowed in a regex`],
      [{ query: "\\x00", regex: true }, `query: pattern contains "\\0" but it is impossible to match`],
      [{ query: "\\w{1000}{1000}", regex: true }, "query: compiled regex exceeds size limit of 16777216"],
      [{ glob: "a[" }, "glob: unclosed character class; missing ']'"],
      [{ glob: "{a" }, "glob: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"],
    ]
    for (const [input, reason] of cases) expect(await messageOf(search(dir.path, input))).toBe(`INVALID_ARGUMENTS: ${reason}`)
  })

  test("lets ripgrep have a bounded amount of memory: an endless line in an ignore file is SEARCH_FAILED", async () => {
    using dir = scratch({ "a": "needle", "z/.ignore": { link: "/dev/zero" } })
    const small = { limits: { ...LIMITS, searchMaxFileBytes: 1 } }
    expect(await codeOf(search(dir.path, { query: "nothing" }, small))).toBe("SEARCH_FAILED")
    expect(await hits(dir.path, { includeIgnored: true })).toEqual(["a:1"])
  })

  test("answers SEARCH_TIMEOUT when the time passes with nothing found, and truncated with something", async () => {
    // A FIFO as an ignore file is the one thing that ripgrep waits for without end.
    using dir = scratch({ "a": "needle", "z/.ignore": { fifo: true } })
    const settings = { limits: { ...LIMITS, searchTimeoutMs: 400 } }
    expect(await codeOf(search(dir.path, { query: "nothing" }, settings))).toBe("SEARCH_TIMEOUT")
    expect(await search(dir.path, {}, settings)).toMatchObject({ matches: [{ path: "a" }], truncated: true })
  })

  test("answers in time for a call that is over before the search's own deadline", async () => {
    using dir = scratch({ "a": "needle", "z/.ignore": { fifo: true } })
    const started = performance.now()
    const answer = await inLane(settingsOf(dir.path), searchText, INPUT, newCall(1000))
    expect([answer.truncated, performance.now() - started < 950]).toEqual([true, true])
  })

  test("leaves files over the limit out, in whole bytes", async () => {
    using dir = scratch({ "a": "needle1234", "b": "needle12345" })
    expect(await hits(dir.path, {}, { limits: { ...LIMITS, searchMaxFileBytes: 10 } })).toEqual(["a:1"])
  })

  test("gives paths relative to the root when it starts below it", async () => {
    using dir = scratch({ "a/b/c": "needle", "a/b/a/b/c": "needle", "c": "needle" })
    expect(await hits(dir.path, { path: "a/./b/" })).toEqual(["a/b/a/b/c:1", "a/b/c:1"])
  })

  test("sorts by path in code points, then by line", async () => {
    using dir = scratch({ "\ufb00": "needle\nneedle\n", "😀": "needle", "a": "needle", "a-": "needle", "a.d/x": "needle" })
    expect(await hits(dir.path)).toEqual(["a:1", "a-:1", "a.d/x:1", "\ufb00:1", "\ufb00:2", "😀:1"])
  })

  test("searches an empty directory, and refuses one that is not there", async () => {
    using dir = scratch()
    mkdirSync(dir.at("empty"))
    expect(await search(dir.path, { path: "empty" })).toEqual({ matches: [], truncated: false, unreadable: 0 })
    expect(await codeOf(search(dir.path, { path: "none" }))).toBe("PATH_NOT_FOUND")
  })
})
