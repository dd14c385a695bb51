import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { documented } from "../readme/commands.ts"

const UNIT = readFileSync(new URL("../../packaging/serverfs.service", import.meta.url), "utf8")

/** What each directive of the service is set to, in order. */
const settings = new Map<string, string[]>()
for (const line of UNIT.split("\n")) {
  const [, name, value = ""] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
  if (name !== undefined) settings.set(name, [...(settings.get(name) ?? []), value])
}

describe("packaging/serverfs.service", () => {
  test("lets the kernel confine it: systemd has Landlock in no group of calls before version 253", () => {
    const [allowed = ""] = settings.get("SystemCallFilter") ?? []
    expect(allowed.split(" ")).toEqual(expect.arrayContaining(["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"]))
  })

  test("lets the JIT compiler work", () => {
    expect(settings.has("MemoryDenyWriteExecute")).toBe(false)
  })

  test.each([
    ["ProtectSystem", "strict"],
    ["ProtectHome", "tmpfs"],
    ["PrivateDevices", "yes"],
    ["NoNewPrivileges", "yes"],
    ["CapabilityBoundingSet", ""],
    ["RestrictNamespaces", "yes"],
    ["StateDirectoryMode", "0700"],
  ])("%s is '%s'", (name, value) => {
    expect(settings.get(name)).toEqual([value])
  })

  test("has its token from a credential, not from the environment, and does not start again after a fault of the configuration", () => {
    expect(settings.get("LoadCredential")).toEqual(["token:/etc/serverfs/token"])
    expect(settings.get("Environment")?.[0]).toContain("SERVERFS_TOKEN_FILE=%d/token")
    expect(settings.get("RestartPreventExitStatus")).toEqual(["2"])
  })

  test("says how a command is given its own user, state, program and settings, as the README does", () => {
    const [user, program, file] = ["User", "ExecStart", "EnvironmentFile"].map((name) => settings.get(name)?.[0])
    const [state] = /SERVERFS_STATE_DIR=\S+/.exec(settings.get("Environment")?.[0] ?? "") ?? []
    const command = documented("sudo -u serverfs")
    expect(command).toBe(`sudo -u ${user} env ${state} ${program} --env-file ${file} token create --name ci`)
    expect(UNIT).toContain(`\n#   ${command}\n`)
    expect(UNIT).toContain(`what ${settings.get("LoadCredential")?.[0]?.replace("token:", "")} holds`)
  })
})
