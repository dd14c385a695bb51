import { describe, expect, test } from "bun:test"
import { clientNameIn } from "../../src/oauth/document/client-document.ts"
import { DocumentFault, fetchDocument } from "../../src/oauth/document/fetch-document.ts"
import { isPublicAddress } from "../../src/oauth/document/public-address.ts"
import { redirectTarget } from "../../src/oauth/redirect-uri.ts"
import { HOST, internet, PUBLIC, seen, url } from "./internet.ts"

describe("isPublicAddress", () => {
  test.each(["1.1.1.1", "93.184.216.34", "100.63.255.255", "172.15.0.1", "172.32.0.1", "192.0.1.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1"])("%s is", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:8.8.8.8", "::ffff:10.0.0.1", "::8.8.8.8", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:a00:1::1", "3fff::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
    "", "localhost", "1.1.1", "0x7f.0.0.1", "017700000001", "1.1.1.1.", "[::1]",
  ])("%j is not", (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

const fault = (work: Promise<unknown>): Promise<string> => work.then(() => "none", (error: unknown) => (error instanceof DocumentFault ? error.message : `not a fault: ${String(error)}`))

describe("fetchDocument", () => {
  test("connects to the address that was checked, by the name in Host and certificate", async () => {
    const network = internet()
    expect(JSON.parse(await fetchDocument(url("/client.json"), network))).toEqual({ ok: true })
    expect(network.connected).toEqual([PUBLIC])
    expect(seen.at(-1)).toEqual({ path: "/client.json", host: HOST })
  })

  test.each([["/plus", 2], ["/full", 10_240]])("takes %s", async (path, length) => {
    expect(await fetchDocument(url(path), internet())).toHaveLength(length)
  })

  test.each([
    ["/moved", "docs.example.org answered with 302"],
    ["/outside", "docs.example.org answered with 301"],
    ["/nothing", "docs.example.org answered with 404"],
    ["/html", "docs.example.org sent something else than JSON"],
    ["/large", "docs.example.org sent more than 10240 bytes"],
    ["/endless", "docs.example.org sent more than 10240 bytes"],
    ["/bomb", "what docs.example.org sent could not be read"],
    ["/latin1", "what docs.example.org sent could not be read"],
  ])("refuses %s: %s", async (path, message) => {
    expect(await fault(fetchDocument(url(path), internet()))).toContain(message)
  })

  test.each([
    ["loopback", ["127.0.0.1"]],
    ["a private network", ["10.0.0.5"]],
    ["a cloud's metadata", ["169.254.169.254"]],
    ["a private one beside a public one", [PUBLIC, "192.168.0.1"]],
    ["a unique local address", ["fd00::1"]],
    ["IPv4 in IPv6", ["::ffff:127.0.0.1"]],
    ["translated IPv4", ["64:ff9b::7f00:1"]],
  ])("connects nowhere when the name leads to %s", async (_what, addresses) => {
    const network = internet(async () => addresses)
    expect(await fault(fetchDocument(url("/client.json"), network))).toBe("docs.example.org leads to an address that is not public")
    expect(network.connected).toEqual([])
  })

  test("a name that changes its address after the check is not asked again", async () => {
    let asked = 0
    const network = internet(async () => [asked++ === 0 ? PUBLIC : "127.0.0.1"])
    await fetchDocument(url("/client.json"), network)
    expect([asked, network.connected]).toEqual([1, [PUBLIC]])
  })

  test("a name of this machine is refused with the system's own resolver", async () => {
    expect(await fault(fetchDocument(new URL("https://localhost/x")))).toBe("localhost leads to an address that is not public")
  })

  test("a certificate for another name is refused", async () => {
    const other = new URL("https://other.example.org/client.json")
    expect(await fault(fetchDocument(other, internet()))).toBe("other.example.org could not be reached over TLS")
  })

  test("tries IPv4 first, then three addresses at most", async () => {
    const network = internet(async () => ["2606::1", "2606::2", "93.184.216.35", PUBLIC])
    await fetchDocument(url("/client.json"), network)
    expect(network.connected).toEqual(["93.184.216.35", PUBLIC])
    const down = internet(async () => ["2606::1", "2606::2", "2606::3", "2606::4"])
    expect(await fault(fetchDocument(url("/client.json"), down))).toContain("could not be reached")
    expect(down.connected).toHaveLength(3)
  })

  test("an unknown name is a fault", async () => {
    expect(await fault(fetchDocument(url("/client.json"), internet(async () => [])))).toBe("docs.example.org could not be found")
    expect(await fault(fetchDocument(url("/client.json"), internet(() => Promise.reject(new Error("ENOTFOUND")))))).toBe("docs.example.org could not be found")
  })
})

describe("clientNameIn", () => {
  const ID = "https://claude.ai/oauth/mcp-oauth-client-metadata"
  const CALLBACK = "https://claude.ai/api/mcp/auth_callback"
  const DOCUMENT = { client_id: ID, client_name: "Claude", redirect_uris: [CALLBACK, "https://claude.com/api/mcp/auth_callback", "http://localhost/callback", "https://elsewhere.example/cb", "cursor://x/y"] }
  const read = (changes: object = {}, redirect = CALLBACK, id = ID): string => {
    const target = redirectTarget(redirect)
    if (target === null) throw new Error(redirect)
    return clientNameIn(JSON.stringify({ ...DOCUMENT, ...changes }), new URL(id), target)
  }

  test.each([
    ["its own site", CALLBACK],
    ["its sister site", "https://claude.com/api/mcp/auth_callback"],
    ["a loopback, whatever the port", "http://localhost:51234/callback"],
  ])("takes an answer that goes to %s", (_what, redirect) => {
    expect(read({}, redirect)).toBe("Claude")
  })

  test("takes a document that lists private_key_jwt beside none, as ChatGPT's does", () => {
    expect(read({ token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_methods_supported: ["private_key_jwt", "none"] })).toBe("Claude")
  })

  test("makes the name fit to be shown", () => {
    expect(read({ client_name: "Cl\u202eaude\n" })).toBe("Cl aude")
  })

  test.each([
    ["another client's document", { client_id: `${ID}2` }, "describes is another client"],
    ["no client_id", { client_id: undefined }, "not a client's description"],
    ["no name", { client_name: undefined }, "not a client's description"],
    ["a name that is no text", { client_name: { a: 1 } }, "not a client's description"],
    ["no redirect URIs", { redirect_uris: [] }, "not a client's description"],
    ["a secret", { client_secret: "x" }, "not a client's description"],
    ["only private_key_jwt", { token_endpoint_auth_method: "private_key_jwt" }, "insists on a way to authenticate"],
    ["only client_secret_basic", { token_endpoint_auth_method: "client_secret_basic" }, "insists on a way to authenticate"],
  ])("refuses %s", (_what, changes, message) => {
    expect(() => read(changes)).toThrow(message)
  })

  test.each([
    ["an address that it does not name", "https://claude.ai/other", "does not name the address"],
    ["a foreign site, although it names it", "https://elsewhere.example/cb", "neither claude.ai nor this computer"],
    ["an app, although it names it", "cursor://x/y", "neither claude.ai nor this computer"],
  ])("refuses an answer that goes to %s", (_what, redirect, message) => {
    expect(() => read({}, redirect)).toThrow(message)
  })

  test.each(["", "[]", "null", "{", '"x"', "<html>"])("refuses %j", (text) => {
    const target = redirectTarget(CALLBACK)
    if (target === null) throw new Error("no target")
    expect(() => clientNameIn(text, new URL(ID), target)).toThrow(DocumentFault)
  })
})
