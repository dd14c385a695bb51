import { describe, expect, test } from "bun:test"
import { asked, Operator, type Page, REDIRECT, registered } from "./operator.ts"
import { sharedFixture } from "./shared-fixture.ts"

const gateway = sharedFixture()
let known: string | null = null
const client = async (): Promise<string> => (known ??= await registered(gateway(), { client_name: "<b>Evil</b> & \"co\"", redirect_uris: [REDIRECT, "http://localhost/cb", "cursor://x/y"] }))
const open = async (changes: Record<string, string | null>) => new Operator(gateway()).open(asked(gateway(), await client(), changes).url)

describe("/authorize", () => {
  test("shows who asks, unescaped by nothing that they wrote, and where the answer goes", async () => {
    const page = await open({})
    expect(page.status).toBe(200)
    expect(page.text).toContain("“&lt;b&gt;Evil&lt;/b&gt; &amp; &quot;co&quot;” asks for access")
    expect(page.text).not.toContain("<b>Evil")
    expect(page.text).toContain("self-registered, unverified")
    expect(page.text).toContain("<strong>client.example.net</strong>")
    expect(page.text).toContain(`${gateway().url}/mcp`)
  })

  test.each([
    ["http://localhost:51234/cb", "<strong>localhost:51234</strong>", "a program on the computer that this browser runs on"],
    ["cursor://x/y", "<strong>cursor:</strong>", "whichever app on this device has claimed links"],
  ])("warns of an answer that goes to %s", async (redirect_uri, place, warning) => {
    const page = await open({ redirect_uri })
    expect(page.text).toContain(place)
    expect(page.text).toContain(warning)
  })

  test("shows a described client by its host, without fetching anything", async () => {
    const page = await new Operator(gateway()).open(asked(gateway(), "https://docs.example.invalid/client.json").url)
    expect(page.status).toBe(200)
    expect(page.text).toContain("<strong>docs.example.invalid</strong>")
    expect(page.text).toContain("Checked against its own description once you continue.")
  })

  test.each([
    ["no client", { client_id: null }, "does not say which application"],
    ["an unknown client", { client_id: "nobody" }, "not registered here, or no longer"],
    ["a description on plain http", { client_id: "http://docs.example.org/client.json" }, "not registered here"],
    ["a description at an address", { client_id: "https://169.254.169.254/latest/meta-data" }, "not registered here"],
    ["no redirect URI", { redirect_uri: null }, "does not say where the answer"],
    ["a redirect URI that is not registered", { redirect_uri: `${REDIRECT}/x` }, "not one that the application registered"],
    ["a redirect URI with a script", { redirect_uri: "javascript:alert(1)" }, "is not acceptable"],
    ["another response type", { response_type: "token" }, "something else than an authorization code"],
    ["no response type", { response_type: null }, "something else than an authorization code"],
    ["another response mode", { response_mode: "fragment" }, "in a way that this gateway does not have"],
    ["no PKCE", { code_challenge: null, code_challenge_method: null }, "PKCE with S256"],
    ["plain PKCE", { code_challenge_method: "plain" }, "PKCE with S256"],
    ["PKCE without a method, which means plain", { code_challenge_method: null }, "PKCE with S256"],
    ["a challenge that is none", { code_challenge: "x" }, "PKCE with S256"],
    ["a foreign resource", { resource: "https://elsewhere.example/mcp" }, "not on this gateway"],
    ["the gateway itself as a resource", { resource: "" }, null],
    ["a state that is too long", { state: "x".repeat(9000) }, "the request is too long"],
  ])("answers %s on a page of its own, never with a redirect", async (_what, changes, message) => {
    const page = await open(changes)
    expect([page.status, page.headers.get("location")]).toEqual([message === null ? 200 : 400, null])
    expect(page.headers.get("content-type")).toContain("text/html")
    if (message !== null) expect(page.text).toContain(message)
    if (message !== null) expect([page.id, page.headers.get("set-cookie")]).toEqual([null, null])
  })

  test("refuses a parameter that is given twice", async () => {
    const { url } = asked(gateway(), await client())
    const page = await new Operator(gateway()).open(`${url}&redirect_uri=https://evil.example/`)
    expect([page.status, page.headers.get("location")]).toEqual([400, null])
    expect(page.text).toContain("more than once")
  })

  test("a page can't be framed, kept, scripted or sent elsewhere", async () => {
    for (const page of [await open({}), await open({ client_id: "nobody" })]) {
      const policy = page.headers.get("content-security-policy") ?? ""
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(policy).not.toContain("unsafe")
      expect(policy).not.toContain("script-src")
      expect(policy).toMatch(/form-action '(self|none)'(;|$)/)
      expect(page.headers.get("x-frame-options")).toBe("DENY")
      expect(page.headers.get("cache-control")).toBe("no-store")
      expect(page.headers.get("referrer-policy")).toMatch(/^(same-origin|no-referrer)$/)
      expect(page.text).not.toMatch(/<script|\son\w+=|https?:\/\/(?!localhost)/)
    }
  })

  test("binds the request to the browser with a cookie that nobody else can set or read", async () => {
    const page = await open({})
    expect(page.headers.get("set-cookie")).toMatch(/^__Host-serverfs=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/)
    const again = await new Operator(gateway()).open(asked(gateway(), await client()).url, page.cookie)
    expect(again.cookie).toBe(page.cookie)
    const planted = await new Operator(gateway()).open(asked(gateway(), await client()).url, "__Host-serverfs=short")
    expect(planted.cookie).not.toContain("short")
  })

  test("is rate-limited by source: 20 at once, then 429 with Retry-After", async () => {
    const pages: Page[] = []
    for (let i = 0; i < 21; i++) pages.push(await open({}))
    expect(pages.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    expect(Number(pages[20]?.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})
