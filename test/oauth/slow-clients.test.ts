/** The real OAuth clients of both SDK lines, from a bare URL to a fresh 401, with a real browser for the consent. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport, UnauthorizedError as ModernUnauthorized, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { UnauthorizedError as LegacyUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { openTunnel } from "../e2e/tunnel.ts"
import { Chromium } from "./chromium.ts"
import { type OauthFixture, oauthFixture, SECRET } from "./fixture-oauth.ts"
import { tokenRequest } from "./operator.ts"
import { openCallback } from "./callback.ts"
import { MemoryProvider } from "./memory-provider.ts"

const INFO = { name: "test", version: "1" }
const READ = { name: "read_note", arguments: { board: "main", path: "a.txt" } }
const DOCUMENT = "https://docs.example.org/client.json"

/** One try to connect and to read a note; the transport is given back so that it can finish the authorization. */
interface Attempt {
  finish(callback: URLSearchParams): Promise<void>
  read(): Promise<unknown>
  close(): Promise<void>
}

type Kind = (url: string, provider: MemoryProvider, fetchFn: typeof fetch) => Attempt

const legacy: Kind = (url, authProvider, fetchFn) => {
  const transport = new LegacyTransport(new URL(url), { authProvider, fetch: fetchFn })
  const client = new LegacyClient(INFO)
  let connected = false
  return {
    finish: (callback) => transport.finishAuth(callback.get("code") ?? ""),
    read: async () => {
      // The SDK's own types disagree under exactOptionalPropertyTypes: its transport's sessionId getter may give undefined.
      if (!connected) await client.connect(transport as Parameters<typeof client.connect>[0])
      connected = true
      return (await client.callTool(READ)).structuredContent
    },
    close: () => client.close(),
  }
}

const modern = (mode: VersionNegotiationMode): Kind => (url, authProvider, fetchFn) => {
  const transport = new ModernTransport(new URL(url), { authProvider, fetch: fetchFn })
  const client = new ModernClient(INFO, { versionNegotiation: { mode } })
  let connected = false
  return {
    finish: (callback) => transport.finishAuth(callback),
    read: async () => {
      if (!connected) await client.connect(transport)
      connected = true
      return (await client.callTool(READ)).structuredContent
    },
    close: () => client.close(),
  }
}

let browser: Chromium
let gateway: OauthFixture
beforeAll(async () => {
  browser = await Chromium.start()
  gateway = await oauthFixture({
    through: (origin, publicHost) => openTunnel({ origin, publicHost, silenceMs: 5_000 }),
    fetchDocument: async (url) => JSON.stringify({ client_id: url.href, client_name: "Described client", redirect_uris: ["http://127.0.0.1/callback"] }),
  })
}, 30_000)
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await gateway?.[Symbol.asyncDispose]()
})

async function consent(url: string): Promise<void> {
  await browser.open(url)
  await browser.fill("#secret", SECRET)
  browser.press("Enter", 13, "\r")
  await browser.until("document.querySelector('[name=workdir]') !== null")
  await browser.choose("[name=workdir][value=main]")
  await browser.click(".allow")
  await browser.until("document.body.textContent.includes('You can close this page')")
}

describe.each([
  ["SDK 1", legacy, null],
  ["SDK 2, older revision", modern("legacy"), null],
  ["SDK 2, 2026-07-28", modern({ pin: "2026-07-28" }), null],
  ["SDK 2, with a metadata document", modern("auto"), DOCUMENT],
] as const)("%s", (_name, kind, document) => {
  test("goes from a bare URL to a tool call, refreshes, and ends with its grant", async () => {
    using callback = openCallback()
    const provider = new MemoryProvider(callback.url, document)
    const mount = `${gateway.url}/mcp`

    const first = kind(mount, provider, gateway.fetch)
    const refused = await first.read().catch((error: unknown) => error)
    expect(refused instanceof LegacyUnauthorized || refused instanceof ModernUnauthorized).toBe(true)
    expect(provider.authorizations).toHaveLength(1)
    expect(provider.clientId).toEqual(document ?? expect.stringMatching(/^[0-9a-f-]{36}$/))

    await consent(provider.authorizations[0] ?? "")
    const answer = await callback.answer
    expect([answer.get("state"), answer.get("iss")]).toEqual([provider.state(), gateway.url])
    await first.finish(answer)
    await first.close()

    const second = kind(mount, provider, gateway.fetch)
    expect(await second.read()).toMatchObject({ text: "one" })
    const before = provider.current

    await tokenRequest(gateway, { token: before.access_token, client_id: provider.clientId }, "/revoke")
    expect(await second.read()).toMatchObject({ text: "one" })
    const after = provider.current
    expect([after.access_token === before.access_token, after.refresh_token === before.refresh_token]).toEqual([false, false])
    expect(provider.authorizations).toHaveLength(1)

    await tokenRequest(gateway, { token: after.refresh_token ?? "", client_id: provider.clientId }, "/revoke")
    const gone = await second.read().catch((error: unknown) => error)
    expect(gone instanceof LegacyUnauthorized || gone instanceof ModernUnauthorized).toBe(true)
    expect(provider.authorizations).toHaveLength(2)
    await second.close()
  }, 60_000)
})
