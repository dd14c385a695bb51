/** The official conformance suite's two scenarios for authorization servers, with the consent form answered by plain requests. */
import { expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { oauthFixture } from "./fixture-oauth.ts"
import { Operator, registered } from "./operator.ts"

const SUITE = join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js")

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.on("listening", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address === "object" ? address.port : 0
}

test("both authorization scenarios pass", async () => {
  await using gateway = await oauthFixture()
  const directory = mkdtempSync(join(tmpdir(), "conformance-"))
  const ca = join(directory, "ca.pem")
  writeFileSync(ca, gateway.edge.cert)
  const port = await freePort()
  const clientId = await registered(gateway, { redirect_uris: ["http://127.0.0.1/callback"] })
  const suite = Bun.spawn(
    [process.execPath, SUITE, "authorization", "--url", gateway.url, "--client-id", clientId, "-p", String(port), "--resource", `${gateway.url}/mcp`, "-o", directory],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: ca }, stdout: "pipe", stderr: "pipe" },
  )
  const errors = suite.stderr.text()
  let said = ""
  let answered = false
  const decoder = new TextDecoder()
  for await (const chunk of suite.stdout) {
    said += decoder.decode(chunk, { stream: true })
    const url = /^(https:\/\/localhost:\S+)\s/m.exec(said)?.[1]
    if (answered || url === undefined) continue
    answered = true
    await fetch(await new Operator(gateway).grant(url))
  }
  const status = await suite.exited
  rmSync(directory, { recursive: true })
  expect({ status, said, errors: await errors }).toMatchObject({ status: 0, said: expect.stringContaining("Total: 3 passed, 0 failed") })
  expect(said).not.toMatch(/FAILURE|WARNING|SKIPPED/)
}, 60_000)
