import { describe, expect, test } from "bun:test"
import type { FsRight } from "../../src/confine/rights.ts"
import { type Confinable, type Facts, type Rules, rulesFor } from "../../src/confine/rules.ts"

const FACTS: Facts = {
  executable: "/opt/bun",
  libraries: ["/lib/libc.so.6", "/lib/ld-linux-x86-64.so.2"],
  program: { listed: ["/app"], read: ["/app/src"] },
  ripgrep: "/app/rg",
  connectsOut: false,
  resolverDir: null,
}
const POLICY = { allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: [] }
const CONFIG: Confinable = {
  host: "127.0.0.1",
  port: 8000,
  stateDir: "/state",
  auditFile: null,
  metrics: null,
  workdirs: [
    { alias: "a", root: "/ro", description: null, readOnly: true, policy: POLICY },
    { alias: "b", root: "/rw", description: null, readOnly: false, policy: POLICY },
  ],
  files: { root: "/files", configuredRoot: "/files", maxBytes: 1, maxEntries: 1, readOnly: false, extraDenyGlobs: [] },
}

function rightsOn(path: string, rules: Rules): FsRight[] {
  return rules.paths.filter((rule) => rule.path === path).flatMap((rule) => [...rule.rights]).sort()
}

const NAMES = ["/etc/resolv.conf", "/etc/hosts"]

describe("rulesFor()", () => {
  const rules = rulesFor(CONFIG, FACTS)

  test("a read-only root may be read and listed, no more", () => {
    const readOnly = rulesFor({ ...CONFIG, files: { ...CONFIG.files!, readOnly: true } }, FACTS)
    expect(rightsOn("/ro", rules)).toEqual(["read_dir", "read_file"])
    expect(rightsOn("/files", readOnly)).toEqual(["read_dir", "read_file"])
  })

  test("a writable workdir gets what its five mutations need: no links, no moves between directories", () => {
    expect(rightsOn("/rw", rules)).toEqual(["make_dir", "make_reg", "read_dir", "read_file", "remove_dir", "remove_file", "write_file"])
  })

  test("a writable Files root may move and copy besides", () => {
    const more = rightsOn("/files", rules).filter((right) => !rightsOn("/rw", rules).includes(right))
    expect(more).toEqual(["make_fifo", "make_sock", "make_sym", "refer", "truncate"])
  })

  test("nothing may make a device node, and nothing that is served may be executed", () => {
    const granted = new Set(rules.paths.flatMap((rule) => [...rule.rights]))
    expect(granted.has("make_char") || granted.has("make_block") || granted.has("ioctl_dev")).toBe(false)
    const run = rules.paths.filter((rule) => rule.rights.includes("execute")).map((rule) => rule.path)
    expect(run).toEqual(["/opt/bun", "/lib/ld-linux-x86-64.so.2", "/app/rg"])
  })

  test("only roots, state, audit and /dev/null may be written", () => {
    const audited = rulesFor({ ...CONFIG, auditFile: { path: "/log/audit.log", maxBytes: 1, keep: 1 } }, FACTS)
    const written = audited.paths.filter(({ rights }) => rights.some((right) => /^(write|make|remove|truncate|refer)/.test(right)))
    expect(written.map((rule) => rule.path)).toEqual(["/dev/null", "/state", "/log", "/rw", "/files"])
  })

  test("the names in the program's directory, the contents of its sources", () => {
    expect(rightsOn("/app", rules)).toEqual(["read_dir"])
    expect(rightsOn("/app/src", rules)).toEqual(["read_dir", "read_file"])
  })

  test("a ripgrep that is started from memory needs no rule", () => {
    const executables = rulesFor(CONFIG, { ...FACTS, ripgrep: null }).paths.filter((rule) => rule.rights.includes("execute"))
    expect(executables).toHaveLength(2)
  })

  test("it listens on the configured ports and connects nowhere", () => {
    expect(rules).toMatchObject({ bind: [8000], connect: [] })
    expect(rulesFor({ ...CONFIG, port: 0, metrics: { port: 9100 } }, FACTS).bind).toEqual([0, 9100])
    expect(rulesFor({ ...CONFIG, metrics: { port: null } }, FACTS).bind).toEqual([8000])
  })

  test("names are resolved only when something connects out or the address to listen on is a name", () => {
    const reads = (config: Confinable, facts: Facts) => NAMES.filter((path) => rightsOn(path, rulesFor(config, facts)).length > 0)
    expect(reads(CONFIG, FACTS)).toEqual([])
    expect(reads({ ...CONFIG, host: "::1" }, FACTS)).toEqual([])
    expect(reads({ ...CONFIG, host: "localhost" }, FACTS)).toEqual(NAMES)
    expect(reads(CONFIG, { ...FACTS, connectsOut: true })).toEqual(NAMES)
  })

  test("what connects out reaches port 443, certificates, and a resolv.conf that a daemon replaces", () => {
    const out = rulesFor(CONFIG, { ...FACTS, connectsOut: true, resolverDir: "/run/systemd/resolve" })
    expect(out.connect).toEqual([443])
    expect(rightsOn("/etc/ssl/certs/ca-certificates.crt", out)).toEqual(["read_file"])
    expect(rightsOn("/run/systemd/resolve", out)).toEqual(["read_file"])
  })
})
