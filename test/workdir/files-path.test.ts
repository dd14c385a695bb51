import { describe, expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { auditedPath, isFilesPath, parseFilesPath, relativeToRoot, stepsBelow } from "../../src/workdir/files-path.ts"

const ROOT = "/srv/share"

function parsed(given: string): string {
  try {
    return parseFilesPath(given, ROOT).steps.join("/") || "(root)"
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error)
  }
}

/** Text, what it comes to, and what the audit says of it. */
const TABLE: readonly (readonly [string, string, string])[] = [
  [".", "(root)", "."],
  ["./", "(root)", "."],
  ["~", "(root)", "."],
  ["~/", "(root)", "."],
  ["/srv/share", "(root)", "."],
  ["/srv/share/", "(root)", "."],
  ["//srv/./share//.", "(root)", "."],
  ["a", "a", "a"],
  ["a/b", "a/b", "a/b"],
  ["./a//b/", "a/b", "a/b"],
  ["~/a", "a", "a"],
  ["/srv/share/a/b", "a/b", "a/b"],
  ["/etc/../srv/share/a", "a", "a"],
  ["/../srv/share/a", "a", "a"],
  ["~a", "~a", "~a"],
  ["a/~", "a/~", "a/~"],
  ["~user/x", "~user/x", "~user/x"],
  ["a\\b", "a\\b", "a\\b"],
  [" a ", " a ", " a "],
  ["%2e%2e/x", "%2e%2e/x", "%2e%2e/x"],
  ["...", "...", "..."],
  ["a/..", "a/..", "a/.."],
  ["a/../b", "a/../b", "a/../b"],
  ["", "INVALID_ARGUMENTS", "."],
  ["a\0b", "INVALID_ARGUMENTS", "a\0b"],
  ["\0", "INVALID_ARGUMENTS", "\0"],
  ["a\ud800", "ACCESS_DENIED", "a\ud800"],
  ["x".repeat(256), "ACCESS_DENIED", "x".repeat(256)],
  ["..", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["../x", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["a/../../b", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["a/../../share/b", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["~/..", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/etc/passwd", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/srv", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/srv/share-secret/x", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/srv/shar", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/srv/share/..", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/srv/share/../share-secret/x", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/srv/share/a/../../x", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/SRV/share/a", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/x/srv/share/a", "PATH_OUTSIDE_WORKDIR", "(outside)"],
  ["/etc/\ud800", "ACCESS_DENIED", "(outside)"],
]

describe("parseFilesPath", () => {
  test.each(TABLE)("takes %j for %s", (given, steps) => {
    expect(parsed(given)).toBe(steps)
  })

  test.each([
    ["a path of 4,096 bytes", "a/".repeat(2047) + "bb", "a/".repeat(2047) + "bb"],
    ["one of 4,097", "a/".repeat(2047) + "bbb", "ACCESS_DENIED"],
    ["a name of 255 bytes", "é".repeat(127) + "x", "é".repeat(127) + "x"],
    ["one of 256", "é".repeat(128), "ACCESS_DENIED"],
    ["a name of 256 bytes outside", `/etc/${"x".repeat(256)}`, "ACCESS_DENIED"],
    ["4,096 bytes outside", "/x".repeat(2048), "PATH_OUTSIDE_WORKDIR"],
    ["4,097 bytes outside", `${"/x".repeat(2048)}x`, "ACCESS_DENIED"],
  ])("decides %s", (_, given, steps) => {
    expect(parsed(given)).toBe(steps)
  })

  test.each([["/mnt/share/a", "a"], ["/srv/share/a", "a"], ["/mnt/share-secret/a", null]] as const)("with two names of the root, %s", (given, steps) => {
    expect(stepsBelow(given, ROOT, "/mnt/share")?.join("/") ?? null).toBe(steps)
    expect(auditedPath(given, ROOT, "/mnt/share")).toBe(steps ?? "(outside)")
  })

  test.each(["/srv/share/none", "/srv/share/../x", "/srv/share-secret", `/srv/share/${"x".repeat(300)}`, `/srv/share/../${"x".repeat(300)}`, "/srv/share/\ud800"])("never says where the root is: %j", (given) => {
    try {
      expect(parseFilesPath(given, ROOT).given).not.toContain(ROOT)
    } catch (error) {
      expect(String(error)).not.toContain(ROOT)
    }
  })

  test.each([["/notes.md", "leave out the leading '/', as in sub/file.txt"], ["/", "the root is '.'"], ["../x", "use a path inside the root"]])("advises whoever gave %j: %s", (given, advice) => {
    expect(() => parseFilesPath(given, ROOT)).toThrow(advice)
  })

  test("makes what nothing else can", () => {
    expect(isFilesPath(parseFilesPath("a", ROOT))).toBe(true)
    expect(isFilesPath({ given: "a", steps: ["a"] })).toBe(false)
  })
})

describe("auditedPath", () => {
  test.each(TABLE)("says %j as %s comes to: relative or (outside)", (given, _, audited) => {
    expect(auditedPath(given, ROOT)).toBe(audited)
  })
})

describe("stepsBelow", () => {
  test.each([
    ["/srv/share/a/../..", ["a", "..", ".."]],
    ["/srv/share", []],
    ["/srv/x/../share/a", ["a"]],
    ["/srv/shared/a", null],
  ])("reads the link target %s", (target, steps) => {
    expect(stepsBelow(target, ROOT)).toEqual(steps)
  })
})

describe("relativeToRoot", () => {
  test.each([["/srv/share", "."], ["/srv/share/a/b", "a/b"]])("says %s as %s", (absolute, relative) => {
    expect(relativeToRoot(absolute, ROOT)).toBe(relative)
  })
})
