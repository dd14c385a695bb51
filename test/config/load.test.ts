import { describe, expect, test } from "bun:test"
import { slotsFor, TOKEN, World } from "./world.ts"

describe("loadConfig()", () => {
  test("without anything but a Files root is every default", () => {
    using world = new World()
    expect(world.config({ FILES_MCP_ROOT: world.dir("files") })).toEqual({
      host: "127.0.0.1",
      port: 8000,
      publicUrl: null,
      allowedHosts: [],
      allowedOrigins: [],
      token: null,
      stateDir: world.at("home/.local/state/serverfs"),
      trustedProxies: [],
      oauth: "auto",
      confine: "auto",
      logLevel: "INFO",
      auditFile: null,
      metrics: null,
      workdirs: [],
      files: { root: world.at("files"), configuredRoot: world.at("files"), maxBytes: 1048576, maxEntries: 10000, readOnly: false, extraDenyGlobs: [] },
      limits: {
        callTimeoutMs: 55000,
        maxReadBytes: 524288,
        maxReadLines: 500,
        defaultListLimit: 100,
        maxListEntries: 500,
        defaultSearchResults: 50,
        maxSearchResults: 100,
        maxWalkEntries: 200000,
        searchTimeoutMs: 15000,
        searchMaxFileBytes: 52428800,
        maxWriteBytes: 1048576,
        maxEditsPerCall: 50,
        maxCallsInFlight: 64,
        callsPerMinute: null,
        bytesPerMinute: null,
      },
      zeroConfig: false,
    })
  })

  test("every variable reaches its field", () => {
    using world = new World()
    world.dir("log")
    const config = world.config({
      SERVERFS_HOST: "::1", SERVERFS_PORT: "0", SERVERFS_PUBLIC_URL: "https://files.example.org/", SERVERFS_ALLOWED_HOSTS: "A.org, b.org:81",
      SERVERFS_ALLOWED_ORIGINS: "https://app.example.org", SERVERFS_TRUSTED_PROXIES: "10.0.0.0/8,::1", SERVERFS_TOKEN: TOKEN,
      SERVERFS_STATE_DIR: world.at("state"), SERVERFS_OAUTH: "OFF", SERVERFS_CONFINE: "required", SERVERFS_LOG_LEVEL: "debug",
      SERVERFS_AUDIT_FILE: world.at("log/audit.jsonl"), SERVERFS_AUDIT_FILE_MAX_BYTES: "1000", SERVERFS_AUDIT_FILE_KEEP: "0", SERVERFS_METRICS: "9464",
      SERVERFS_CALL_TIMEOUT_SECONDS: "1", SERVERFS_MAX_CALLS_IN_FLIGHT: "2", SERVERFS_CALLS_PER_MINUTE: "3", SERVERFS_BYTES_PER_MINUTE: "4",
      SERVERFS_MAX_READ_BYTES: "5", SERVERFS_MAX_READ_LINES: "6", SERVERFS_DEFAULT_LIST_LIMIT: "7", SERVERFS_MAX_LIST_ENTRIES: "8",
      SERVERFS_DEFAULT_SEARCH_RESULTS: "9", SERVERFS_MAX_SEARCH_RESULTS: "10", SERVERFS_MAX_WALK_ENTRIES: "11", SERVERFS_SEARCH_TIMEOUT_SECONDS: "12",
      SERVERFS_SEARCH_MAX_FILE_BYTES: "13", SERVERFS_MAX_WRITE_BYTES: "14", SERVERFS_MAX_EDITS_PER_CALL: "15",
      FILES_MCP_ROOT: world.dir("files"), FILES_MCP_READ_ONLY: "yes", FILES_MCP_MAX_BYTES: "16", FILES_MCP_MAX_ENTRIES: "17", FILES_MCP_EXTRA_DENY_GLOBS: "*.a, b/**",
    })
    expect(config).toEqual({
      host: "::1", port: 0, publicUrl: "https://files.example.org", allowedHosts: ["a.org", "b.org"], allowedOrigins: ["https://app.example.org"],
      token: TOKEN, stateDir: world.at("state"), trustedProxies: ["10.0.0.0/8", "::1"], oauth: "off", confine: "required", logLevel: "DEBUG",
      auditFile: { path: world.at("log/audit.jsonl"), maxBytes: 1000, keep: 0 }, metrics: { port: 9464 }, workdirs: [],
      files: { root: world.at("files"), configuredRoot: world.at("files"), maxBytes: 16, maxEntries: 17, readOnly: true, extraDenyGlobs: ["*.a", "b/**"] },
      limits: {
        callTimeoutMs: 1000, maxCallsInFlight: 2, callsPerMinute: 3, bytesPerMinute: 4, maxReadBytes: 5, maxReadLines: 6, defaultListLimit: 7,
        maxListEntries: 8, defaultSearchResults: 9, maxSearchResults: 10, maxWalkEntries: 11, searchTimeoutMs: 12000, searchMaxFileBytes: 13,
        maxWriteBytes: 14, maxEditsPerCall: 15,
      },
      zeroConfig: false,
    })
  })

  test("the result is frozen to the last list", () => {
    using world = new World()
    const config = world.config({ ...slotsFor({ a: world.dir("a") }), WORKDIR_01_EXTRA_DENY_GLOBS: "x" })
    const all = [config, config.limits, config.workdirs, config.workdirs[0], config.workdirs[0]?.policy, config.workdirs[0]?.policy.extraDenyGlobs]
    expect(all.every((each) => Object.isFrozen(each))).toBe(true)
  })

  test.each([
    ["SERVERFS_MAX_READ_BYTES", "abc"], ["SERVERFS_MAX_READ_LINES", "-1"], ["SERVERFS_MAX_WRITE_BYTES", "1.5"], ["SERVERFS_MAX_WRITE_BYTES", "0"],
    ["SERVERFS_PORT", "70000"], ["SERVERFS_ALLOW_HIDDEN", "maybe"], ["SERVERFS_DISABLE_DEFAULT_DENY", "tru"], ["SERVERFS_CONFINE", "sometimes"],
    ["FILES_MCP_READ_ONLY", "rw"], ["SERVERFS_EXTRA_DENY_GLOBS", "a/b"], ["FILES_MCP_EXTRA_DENY_GLOBS", "/x"], ["SERVERFS_LOG_LEVEL", "loud"],
    ["SERVERFS_OAUTH", "on"], ["SERVERFS_METRICS", "maybe"], ["SERVERFS_TRUSTED_PROXIES", "all"], ["SERVERFS_ALLOWED_ORIGINS", "*"],
    ["SERVERFS_ALLOWED_HOSTS", "*"], ["SERVERFS_HOST", "0.0.0.0:80"], ["SERVERFS_CALLS_PER_MINUTE", "0"], ["SERVERFS_SEARCH_TIMEOUT_SECONDS", " 5"],
  ])("%s=%s is one fault that names the variable, the value and what is accepted", (name, value) => {
    using world = new World()
    const faults = world.faults({ FILES_MCP_ROOT: world.dir("files"), [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toStartWith(`${name}: ${JSON.stringify(value)} is not accepted; give `)
  })

  test.each(["SERVERFS_EXTRA_DENY_GLOBS", "WORKDIR_01_EXTRA_DENY_GLOBS", "FILES_MCP_EXTRA_DENY_GLOBS"])("%s with braces, which would protect nothing, is a fault that says how to write it", (name) => {
    using world = new World()
    const faults = world.faults({ ...slotsFor({ a: world.dir("a") }), FILES_MCP_ROOT: world.dir("files"), [name]: "*.{pem,key}" })
    expect(faults).toEqual([expect.stringContaining("braces are not supported; write *.pem,*.key")])
    expect(faults[0]).toStartWith(`${name}: `)
  })

  test("all faults come at once", () => {
    using world = new World()
    const faults = world.faults({
      SERVERFS_MAX_READ_BYTES: "abc", SERVERFS_ALLOW_HIDEN: "true", SERVERFS_TOKEN: "short", FILES_MCP_ROOT: world.at("absent"),
      WORKDIR_01_READ_ONLY: "maybe", WORKDIR_01_ALIAS: "1", WORKDIR_01_PATH: world.at("absent"), WORKDIR_02_READ_ONLY: "false",
    }, { dirs: ["nonsense"] })
    const named = faults.map((line) => line.slice(0, line.indexOf(":")))
    expect(named.sort()).toEqual([
      "--dir", "FILES_MCP_ROOT", "SERVERFS_ALLOW_HIDEN", "SERVERFS_MAX_READ_BYTES", "SERVERFS_TOKEN",
      "WORKDIR_01_ALIAS", "WORKDIR_01_PATH", "WORKDIR_01_READ_ONLY", "WORKDIR_02_READ_ONLY",
    ])
  })

  test("an empty value is the default", () => {
    using world = new World()
    const empty = Object.fromEntries(["SERVERFS_MAX_READ_BYTES", "SERVERFS_ALLOW_HIDDEN", "SERVERFS_EXTRA_DENY_GLOBS", "SERVERFS_TOKEN", "SERVERFS_STATE_DIR"].map((name) => [name, ""]))
    const files = { FILES_MCP_ROOT: world.dir("files") }
    expect(world.config({ ...files, ...empty })).toEqual(world.config(files))
  })

  test("a tcp:// value of SERVERFS_PORT is ignored, as a name too far from any is, with a warning", () => {
    using world = new World()
    const loaded = world.load({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_PORT: "tcp://10.0.0.1:80", SERVERFS_SOMETHING_ELSE_ENTIRELY: "x" })
    expect(loaded.ok && loaded.config.port).toBe(8000)
    expect(loaded.warnings).toEqual([{ event: "config_unknown", variable: "SERVERFS_SOMETHING_ELSE_ENTIRELY" }])
  })

  test("--host and --port win over the environment, and faults of theirs name them", () => {
    using world = new World()
    const env = { FILES_MCP_ROOT: world.dir("files"), SERVERFS_HOST: "::1", SERVERFS_PORT: "bad" }
    const { host, port } = world.config(env, { host: "localhost", port: "0" })
    expect({ host, port }).toEqual({ host: "localhost", port: 0 })
    expect(world.faults(env, { host: "", port: "x" }).map((line) => line.split(":")[0])).toEqual(["--host", "--port"])
  })

  test("a timeout longer than a timer can be is cut to the longest there is", () => {
    using world = new World()
    const { limits } = world.config({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_CALL_TIMEOUT_SECONDS: String(2 ** 40) })
    expect(limits.callTimeoutMs).toBe(2 ** 31 - 1)
  })

  test("a default above its maximum comes down to it", () => {
    using world = new World()
    const { limits } = world.config({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_MAX_LIST_ENTRIES: "50", SERVERFS_MAX_SEARCH_RESULTS: "20" })
    expect([limits.defaultListLimit, limits.defaultSearchResults]).toEqual([50, 20])
  })

  test("metrics on the gateway's own port is a fault", () => {
    using world = new World()
    expect(world.faults({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_METRICS: "9000", SERVERFS_PORT: "9000" }).join()).toStartWith("SERVERFS_METRICS: ")
  })

  test("no fault shows a token or a password in a URL", () => {
    using world = new World()
    const faults = world.faults({ SERVERFS_TOKEN: "hunter2", SERVERFS_PUBLIC_URL: "https://me:hunter2@a.org", SERVERFS_TOKEN_FILE: world.file("conf/t", "hunter2") })
    expect(faults.length).toBeGreaterThanOrEqual(2)
    expect(faults.join()).not.toContain("hunter2")
  })
})

describe("FILES_MCP_ROOT", () => {
  test.each(["absent", "plain", "plain/below"])("%s is refused", (name) => {
    using world = new World()
    world.file("plain")
    expect(world.faults({ FILES_MCP_ROOT: world.at(name) }).join()).toStartWith(`FILES_MCP_ROOT: "${world.at(name)}" `)
  })

  test("/ is refused, read-only too", () => {
    using world = new World()
    for (const readOnly of ["true", "false"]) {
      const faults = world.faults({ FILES_MCP_ROOT: "/", FILES_MCP_READ_ONLY: readOnly })
      expect(faults).toEqual(["FILES_MCP_ROOT: the root of the file system is never served; give a directory below it"])
    }
  })

  test("~ is the operator's home, a relative path is taken from the current directory", () => {
    using world = new World()
    world.dir("home/share")
    expect(world.config({ FILES_MCP_ROOT: "~/share" }).files?.root).toBe(world.at("home/share"))
    expect(world.config({ FILES_MCP_ROOT: "home/share/" }).files?.root).toBe(world.at("home/share"))
  })
})
