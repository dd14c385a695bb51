import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { rgPath } from "@vscode/ripgrep"
import { ripgrepArgs } from "../../src/search/args.ts"
import { Policy } from "../../src/workdir/policy.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

const QUERY = { query: "needle", regex: false, caseSensitive: true, includeIgnored: false }
const BOUNDS = { maxFileBytes: 1_000_000, maxLinesPerFile: 100 }
/** What a process opens to start: loader, libraries, its own memory map. */
const STARTING = /^\/(etc\/ld|lib|usr\/lib|proc\/|sys\/|dev\/null)/
const IGNORE_FILES = /^\.(git|rg)?ignore$/

/** Every path that ripgrep opened or tried to open, as strace(1) saw it. */
function opened(dir: Scratch, glob: string, policy: Policy): string[] {
  using trace = scratch()
  const args = ripgrepArgs({ ...QUERY, glob }, policy, BOUNDS)
  Bun.spawnSync(["strace", "-f", "-qq", "-e", "trace=open,openat,openat2,creat,execve", "-o", trace.at("log"), rgPath, ...args], { cwd: dir.path, env: {} })
  const lines = readFileSync(trace.at("log"), "utf8").split("\n")
  const paths = lines.map((line) => /\bopen\w*\((?:AT_FDCWD, )?"([^"]*)"/.exec(line)?.[1] ?? "").filter((path) => path !== "")
  // One program, ripgrep itself: no child of its own.
  expect(lines.filter((line) => line.includes("execve(")).length).toBe(1)
  return paths.filter((path) => !STARTING.test(path))
}

describe("ripgrep as it is started", () => {
  const names = [
    ".hidden", ".hidden.d/x", ".env", "x.env", "server.pem", "id_rsa", ".ssh/config", "d/.ssh/config", "secret.d/x", ".git/config", ".git/info/exclude", ".hg/x", ".svn/x",
    ".serverfs-tmp-1", "d/.serverfs-tmp-2/x", ".serverfs-disabled", "ok", "d/ok",
  ]

  test("opens no reserved, denied, hidden or version control file, and nothing outside", () => {
    using outside = scratch({ "secret": "needle", ".ignore": "x" })
    using dir = scratch(Object.fromEntries(names.map((name) => [name, "needle\n"])))
    dir.plant({ "link": { link: outside.at("secret") }, "linked": { link: outside.path }, "d/loop": { link: "." }, ".ignore": "!*\n!.*\n", "d/.gitignore": "!.ssh\n" })
    const policies = [
      { allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: ["secret.d/**"] },
      { allowHidden: true, disableDefaultDeny: false, extraDenyGlobs: ["secret.d"] },
    ]
    for (const config of policies) {
      const policy = new Policy(config)
      for (const glob of ["", "*", "**/*", ".*", "{.env,.git/**,server.pem}"]) {
        const paths = opened(dir, glob, policy)
        const within = paths.filter((path) => path.startsWith("./") || path === ".").map((path) => path.slice(2).split("/"))
        const forbidden = within.filter((components) => components.some((name) => name !== "" && !IGNORE_FILES.test(name) && (policy.refuses(name) !== null || /^\.(git|hg|svn)$/.test(name))))
        expect([glob, forbidden]).toEqual([glob, []])
        expect([glob, paths.filter((path) => path !== "." && !path.startsWith("./"))]).toEqual([glob, []])
        if (glob === "*") expect(paths).toEqual(expect.arrayContaining(["./ok", "./d/ok"]))
      }
    }
  })
})
