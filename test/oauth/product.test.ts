/** The authorization server in the product as it is started, confined, behind the edge of a tunnel. */
import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { openState } from "../../src/state/state.ts"
import { runCommand, startProduct } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"
import { openEdge } from "./edge.ts"
import { SECRET } from "./fixture-oauth.ts"
import { asked, connected, Operator, registered } from "./operator.ts"

async function withSecret(stateDir: string): Promise<void> {
  using state = openState(stateDir)
  await state.operatorSecret.set(SECRET, Date.now())
}

test("a client gets what was granted, until 'serverfs grants revoke'", async () => {
  using place = scratch()
  const [docs, secret, stateDir] = [place.at("docs"), place.at("secret"), place.at("state")]
  for (const directory of [docs, secret]) mkdirSync(directory)
  writeFileSync(`${docs}/a.txt`, "hello\n")
  await withSecret(stateDir)
  await using edge = openEdge()
  await using product = await startProduct({ workdirs: { docs: [docs, "rw"], secret }, stateDir, env: { SERVERFS_PUBLIC_URL: edge.url, SERVERFS_TRUSTED_PROXIES: "127.0.0.1" } })
  edge.connect(product.url)

  const { accessToken } = await connected(edge, { workdir: "docs" })
  const call = async (tool: string, args: object) => {
    const answer = await edge.fetch(`${edge.url}/mcp/${tool}`, { method: "POST", body: JSON.stringify(args), headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  expect((await call("list_workdirs", {})).body).toMatchObject({ workdirs: [{ alias: "docs", access: "read-only" }] })
  expect((await call("list_directory", { workdir: "docs" })).status).toBe(200)
  expect(await call("list_directory", { workdir: "secret" })).toMatchObject({ status: 404, body: { code: "WORKDIR_NOT_FOUND" } })
  expect(await call("create_text_file", { workdir: "docs", path: "b.txt", content: "x" })).toMatchObject({ status: 403, body: { code: "WORKDIR_READ_ONLY" } })

  const env = { SERVERFS_STATE_DIR: stateDir, HOME: place.path }
  const id = /^([0-9a-f]{10}) +Test client +\(registered itself\) +\/mcp +read-only +docs /m.exec((await runCommand(["grants", "list"], env)).stdout)?.[1] ?? ""
  expect(await runCommand(["grants", "revoke", id], env)).toMatchObject({ status: 0 })
  expect((await call("list_workdirs", {})).status).toBe(401)

  await product.stop()
  const { stderr, stdout } = product.written
  for (const secretText of [accessToken, SECRET, "the state"]) expect(stderr + stdout).not.toContain(secretText)
  expect(stderr).toContain('"event":"oauth_granted"')
})

test("a description that can't be had is refused while the process is confined", async () => {
  using place = scratch()
  mkdirSync(place.at("docs"))
  await withSecret(place.at("state"))
  await using edge = openEdge()
  await using product = await startProduct({ workdirs: { docs: place.at("docs") }, stateDir: place.at("state"), env: { SERVERFS_PUBLIC_URL: edge.url } })
  edge.connect(product.url)
  const operator = new Operator(edge)
  const page = await operator.unlock(await operator.open(asked(edge, "https://nowhere.invalid/client.json").url))
  expect([page.status, page.id]).toEqual([502, null])
  expect(page.text).toContain("nowhere.invalid could not be found")
})

test("SERVERFS_OAUTH=off advertises nothing, and answers what is missing with a plain JSON 404", async () => {
  using place = scratch()
  mkdirSync(place.at("docs"))
  await withSecret(place.at("state"))
  await using edge = openEdge()
  await using product = await startProduct({ workdirs: { docs: place.at("docs") }, stateDir: place.at("state"), env: { SERVERFS_PUBLIC_URL: edge.url, SERVERFS_OAUTH: "off" } })
  edge.connect(product.url)
  const refused = await edge.fetch(`${edge.url}/mcp`, { method: "POST", body: "{}" })
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="serverfs"'])
  for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/authorize", "/token", "/register"]) {
    const answer = await edge.fetch(edge.url + path)
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, expect.stringContaining("application/json")])
  }
  await expect(registered(edge)).rejects.toThrow("404")
})
