/** Commands of the README that need what a test has not: a container engine, a tunnel, an hour. What can be checked of them, is. */
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { YAML } from "bun"
import { VARIABLES } from "../../src/config/variables/variables.ts"
import { createGuard } from "../../src/http/guard.ts"
import manifest from "../../package.json" with { type: "json" }
import { compose } from "../packaging/compose.ts"
import { blocks, documented, README } from "./commands.ts"
import { openShell, PROJECT } from "./shell.ts"

const LOCAL = `http://${VARIABLES.SERVERFS_HOST.default}:${VARIABLES.SERVERFS_PORT.default}`

function words(command: string): string[] {
  return command.split(" ")
}

describe("docker compose", () => {
  test("up --build: there is something to build, from a Dockerfile that is there", () => {
    expect(words(documented("docker compose up"))).toEqual(["docker", "compose", "up", "--build", "--detach"])
    expect(compose().services["serverfs"]?.["build"]).toMatchObject({ context: "." })
    expect(existsSync(join(PROJECT, "Dockerfile"))).toBe(true)
  })

  test("--profile: it is that of the service that it adds", () => {
    const [, , , profile = ""] = words(documented("docker compose --profile"))
    expect(Object.entries(compose().services).filter(([, service]) => service["profiles"] !== undefined)).toEqual([[profile, expect.objectContaining({ profiles: [profile] })]])
  })

  test("run: it names the service, and what follows is a command of the program", async () => {
    const [service = "", ...command] = words(documented("docker compose run --rm").replace("docker compose run --rm ", ""))
    expect(Object.keys(compose().services)).toContain(service)
    using shell = openShell()
    expect(await shell.run(`serverfs ${command.join(" ")}`, { FILES_MCP_ROOT: shell.home.at("here") })).toMatchObject({ status: 0, stdout: expect.stringMatching(/^sfs_\S{43}\n$/) })
  })
})

describe("cloudflared", () => {
  test("a quick tunnel: it leads to where the gateway listens, under a Host that it goes by", async () => {
    const [, , , url = "", , host = ""] = words(documented("cloudflared tunnel --url"))
    expect(url).toBe(LOCAL)
    const guard = createGuard({ host: "127.0.0.1", publicUrl: null, allowedHosts: [], allowedOrigins: [] })
    let passed = false
    await guard({ req: { raw: new Request(url, { headers: { host } }) }, res: new Response() } as Parameters<typeof guard>[0], async () => { passed = true })
    expect(passed).toBe(true)
  })

  test("a named tunnel: its ingress leads there too, from the host of the public URL", () => {
    expect(documented("cloudflared tunnel create")).toBe("cloudflared tunnel create serverfs")
    const config = YAML.parse(blocks(README).find(({ language }) => language === "yaml")?.text ?? "") as { ingress: unknown }
    const [, host] = /SERVERFS_PUBLIC_URL=https:\/\/(\S+?)`/.exec(README) ?? []
    expect(config.ingress).toEqual([{ hostname: host, service: LOCAL }, { service: "http_status:404" }])
  })
})

describe("scripts", () => {
  test("test:slow is given to every slow test, and test to none", () => {
    expect(documented("npx -y bun@1.4.5 run test:slow")).toEndWith(" run test:slow")
    expect(manifest.scripts["test:slow"]).toEndWith(" slow-")
    expect(manifest.scripts.test).toContain("--path-ignore-patterns '**/slow-*'")
  })

  test("ok is types, lint and test, once what they need is installed: in a new clone it is not", () => {
    expect(manifest.scripts.ok).toBe("bun install --frozen-lockfile --no-summary && bun run types && bun run lint && bun run test")
  })
})
