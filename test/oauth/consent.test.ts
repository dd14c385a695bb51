import { describe, expect, test } from "bun:test"
import { DocumentFault } from "../../src/oauth/document/fetch-document.ts"
import { asked, Operator, REDIRECT, registered } from "./operator.ts"
import { sharedFixture } from "./shared-fixture.ts"

const CLAUDE = "https://claude.ai/oauth/mcp-oauth-client-metadata"
const CLAUDE_CALLBACK = "https://claude.ai/api/mcp/auth_callback"
const fetched: string[] = []
const gateway = sharedFixture({
  workdirs: [{ alias: "main", root: "/nowhere", description: "Notes & <more>", readOnly: false, policy: { allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: [] } }],
  fetchDocument: async (url) => {
    fetched.push(url.href)
    if (url.href !== CLAUDE) throw new DocumentFault(`${url.hostname} could not be found`)
    return JSON.stringify({ client_id: CLAUDE, client_name: "Claude", redirect_uris: [CLAUDE_CALLBACK] })
  },
})
const operator = () => new Operator(gateway())
const client = () => registered(gateway())
const grants = () => gateway().state.grants.list(Date.now())
const lastEvent = () => gateway().audit.events.at(-1)
const DAY = 24 * 3600 * 1000

async function unlocked(changes: Record<string, string | null> = {}, clientId?: string) {
  return operator().unlock(await operator().open(asked(gateway(), clientId ?? (await client()), changes).url))
}

describe("the first page", () => {
  test("goes on with the secret and comes back without", async () => {
    const first = await operator().open(asked(gateway(), await client()).url)
    const wrong = await operator().unlock(first, "wrong")
    expect([wrong.status, wrong.id]).toEqual([403, first.id])
    expect(wrong.text).toContain("That is not the operator secret.")
    expect(wrong.text).not.toContain('value="wrong"')
    expect(lastEvent()).toMatchObject({ name: "oauth_secret_failed", fields: { client: gateway().edge.clientAddress } })
    expect((await operator().unlock(wrong)).text).toContain("What may “Test client” do?")
  })

  test("denies without the secret, on a page of its own, for good", async () => {
    const first = await operator().open(asked(gateway(), await client()).url)
    const denied = await operator().send("/authorize/secret", first, { decision: "deny" })
    expect([denied.status, denied.headers.get("location")]).toEqual([200, null])
    expect(denied.text).toContain("Nothing was granted")
    expect((await operator().unlock(first)).text).toContain("no longer good")
  })
})

describe("the second page", () => {
  test("offers the least first and chooses it: read-only, one day, no directory of several", async () => {
    const page = await unlocked()
    expect(page.text).toContain('value="read-only" checked=""')
    expect(page.text).toContain('value="1d" checked=""')
    expect(page.text).not.toContain('name="workdir" value="main" checked')
    expect(page.text.indexOf('value="read-only"')).toBeLessThan(page.text.indexOf('value="read-write"'))
    expect(page.text).toContain("Notes &amp; &lt;more&gt;")
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://client.example.net;")
  })

  test("allows just what was chosen", async () => {
    const before = Date.now()
    const left = await operator().allow(await unlocked(), { workdir: ["main", "ro", "nothing"], access: "read-write", lasts: "7d" })
    const grant = grants().at(-1)
    expect(left.status).toBe(303)
    expect(grant).toMatchObject({ clientName: "Test client", mount: "/mcp", resource: `${gateway().url}/mcp`, workdirs: ["main", "ro"], readOnly: false })
    expect(grant?.expires ?? 0).toBeGreaterThanOrEqual(before + 7 * DAY)
    expect(grant?.expires ?? 0).toBeLessThanOrEqual(Date.now() + 7 * DAY)
    expect(lastEvent()).toMatchObject({ name: "oauth_granted", keep: "kept", fields: { grant: grant?.name, redirect: "client.example.net", mount: "/mcp", workdirs: ["main", "ro"], read_only: false } })
  })

  test("answers with code, state and iss, and with nothing that could be kept or told on", async () => {
    const left = await operator().allow(await unlocked())
    const location = new URL(left.headers.get("location") ?? "")
    expect(location.origin + location.pathname).toBe(REDIRECT)
    expect([...location.searchParams.keys()]).toEqual(["code", "state", "iss"])
    expect([location.searchParams.get("state"), location.searchParams.get("iss")]).toEqual(["the state", gateway().url])
    expect([left.headers.get("cache-control"), left.headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"])
  })

  test("denies with access_denied", async () => {
    const left = await operator().send("/authorize/decision", await unlocked({ state: null }), { decision: "deny" })
    expect([left.status, left.headers.get("location")]).toEqual([303, `${REDIRECT}?error=access_denied&iss=${encodeURIComponent(gateway().url)}`])
    expect(lastEvent()).toMatchObject({ name: "oauth_denied" })
  })

  test.each([
    ["no directory", { workdir: [] }, "Choose at least one directory."],
    ["a directory that there is not", { workdir: "secret" }, "Choose at least one directory."],
    ["no end", { lasts: "" }, "Choose when it ends."],
    ["an end that there is not", { lasts: "100y" }, "Choose when it ends."],
  ])("asks again for %s, and keeps what was chosen", async (_what, fields, problem) => {
    const before = grants().length
    const page = await unlocked()
    const again = await operator().allow(page, { access: "read-write", ...fields })
    expect([again.status, again.id]).toEqual([400, page.id])
    expect(again.text).toContain(problem)
    expect(again.text).toContain('value="read-write" checked=""')
    expect(grants()).toHaveLength(before)
    expect((await operator().allow(again)).status).toBe(303)
  })

  test("anything but read-write is read-only, and any decision but allow is deny", async () => {
    await operator().allow(await unlocked(), { access: "" })
    expect(grants().at(-1)?.readOnly).toBe(true)
    const left = await operator().allow(await unlocked(), { decision: "" })
    expect(left.headers.get("location")).toContain("error=access_denied")
  })

  test("lets the operator choose the mount when the client did not say, and no other when it did", async () => {
    const page = await unlocked({ resource: null })
    expect(page.text).toContain("The application did not say which one it wants.")
    expect((await operator().allow(page, { mount: "/nothing" })).text).toContain("Choose a service.")
    await operator().allow(page, { mount: "/other" })
    expect(grants().at(-1)).toMatchObject({ mount: "/other", resource: `${gateway().url}/other` })
    await operator().allow(await unlocked(), { mount: "/other" })
    expect(grants().at(-1)?.mount).toBe("/mcp")
  })

  test("grants nothing while the audit is stuck, and can be sent again when it runs", async () => {
    const page = await unlocked()
    gateway().audit.stalled = true
    const stuck = await operator().allow(page)
    gateway().audit.stalled = false
    expect([stuck.status, stuck.headers.get("location")]).toEqual([503, null])
    expect((await operator().allow(stuck)).status).toBe(303)
  })
})

describe("a described client", () => {
  test("is fetched once the secret is right, not before, and shown by its host", async () => {
    const first = await operator().open(asked(gateway(), CLAUDE, { redirect_uri: CLAUDE_CALLBACK }).url)
    const wrong = await operator().unlock(first, "wrong")
    expect(fetched).toEqual([])
    const page = await operator().unlock(wrong)
    expect(fetched).toEqual([CLAUDE])
    expect(page.text).toContain("What may “Claude” do?")
    expect(page.text).toContain("<strong>claude.ai</strong>")
    expect((await operator().allow(page)).headers.get("location")).toStartWith(`${CLAUDE_CALLBACK}?code=sfc_`)
    expect(grants().at(-1)?.name).toStartWith("grant:claude.ai#")
  })

  test("that can't be had is refused on a page of ours", async () => {
    const page = await unlocked({}, "https://nowhere.example/client.json")
    expect([page.status, page.headers.get("location"), page.id]).toEqual([502, null, null])
    expect(page.text).toContain("nowhere.example could not be found")
    expect(lastEvent()).toMatchObject({ name: "oauth_document_refused", fields: { client_id: "https://nowhere.example/client.json", reason: "nowhere.example could not be found" } })
  })

  test("that does not know the redirect URI is refused on a page of ours", async () => {
    const page = await unlocked({ redirect_uri: "https://evil.example/" }, CLAUDE)
    expect([page.status, page.headers.get("location"), page.id]).toEqual([502, null, null])
    expect(page.text).toContain("does not name the address")
  })
})
