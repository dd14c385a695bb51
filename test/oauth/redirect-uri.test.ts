import { describe, expect, test } from "bun:test"
import { answerUrl, isRegistered, redirectTarget } from "../../src/oauth/redirect-uri.ts"

describe("redirectTarget", () => {
  test.each([
    ["https://chatgpt.com/connector_platform_oauth_redirect", "web", "chatgpt.com", "https://chatgpt.com"],
    ["https://claude.ai:8443/api/mcp/auth_callback?a=b", "web", "claude.ai:8443", "https://claude.ai:8443"],
    ["http://localhost:8787/callback", "loopback", "localhost:8787", "http://localhost:8787"],
    ["http://127.0.0.1/", "loopback", "127.0.0.1", "http://127.0.0.1"],
    ["http://[::1]:33418/", "loopback", "[::1]:33418", "http:"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "app", "cursor:", "cursor:"],
    ["com.example.app:/callback", "app", "com.example.app:", "com.example.app:"],
  ] as const)("%s is %s at %s", (uri, kind, place, cspSource) => {
    expect(redirectTarget(uri)).toEqual({ uri, kind, place, cspSource })
  })

  test.each([
    "", "/callback", "client.example.net/callback", "https:client.example.net/callback", "https://", "https:///x",
    "http://client.example.net/callback", "http://127.0.0.2/", "http://localhost.evil.example/", "http://localhost:80@evil.example/",
    "http://localhost@evil.example/", "http://localhost:99999/", "http://0.0.0.0/", "http://[::ffff:127.0.0.1]/",
    "https://user@client.example.net/", "https://user:word@client.example.net/", "https://client.example.net/#x", "https://client.example.net/#",
    "https://client.example.net/a b", "https://client.example.net/\u0000", "https://client.example.net/\r\nSet-Cookie:%20a=b", "https://client.example.net/é",
    "https://client.example.net\\@evil.example/", "https://evil.example;script-src%20*/", "https://a;b.example/", "https://a'b.example/", "https://a,b.example/",
    "https://client.example.net/\"><script>", "https://client.example.net/<", `https://client.example.net/${"x".repeat(1024)}`,
    "javascript:alert(1)", "JavaScript://%0aalert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://a/b", "about:blank", "view-source:https://a", "ws://a", "intent://x",
  ])("%j leads nowhere", (uri) => {
    expect(redirectTarget(uri)).toBeNull()
  })
})

describe("isRegistered", () => {
  const registered = ["https://client.example.net/callback", "http://localhost/callback?x=1", "http://127.0.0.1:33418/", "cursor://app/callback"]

  test.each([
    "https://client.example.net/callback", "http://localhost/callback?x=1", "http://localhost:51234/callback?x=1", "http://127.0.0.1:1/", "cursor://app/callback",
  ])("%s is", (uri) => {
    expect(isRegistered(uri, registered)).toBe(true)
  })

  test.each([
    ["substring", "https://client.example.net/callback2"],
    ["substring", "https://client.example.net/callbac"],
    ["path", "https://client.example.net/callback/"],
    ["path", "https://client.example.net/callback/../x"],
    ["path", "https://client.example.net/Callback"],
    ["path", "https://client.example.net/%63allback"],
    ["query", "https://client.example.net/callback?"],
    ["query", "https://client.example.net/callback?next=https://evil.example"],
    ["host", "https://client.example.net.evil.example/callback"],
    ["host", "https://evil.example/client.example.net/callback"],
    ["host", "https://CLIENT.example.net/callback"],
    ["userinfo", "https://client.example.net@evil.example/callback"],
    ["port", "https://client.example.net:443/callback"],
    ["port", "https://client.example.net:8443/callback"],
    ["scheme", "http://client.example.net/callback"],
    ["scheme", "cursor2://app/callback"],
    ["loopback path", "http://localhost:51234/other?x=1"],
    ["loopback query", "http://localhost:51234/callback"],
    ["loopback name", "http://127.0.0.1/callback?x=1"],
    ["loopback scheme", "https://localhost/callback?x=1"],
    ["loopback userinfo", "http://localhost:1@evil.example/callback?x=1"],
  ])("another %s is not: %s", (_what, uri) => {
    expect(isRegistered(uri, registered)).toBe(false)
  })
})

describe("answerUrl", () => {
  test("adds to the query that is there and leaves out what is null", () => {
    expect(answerUrl("https://a.example/cb", { code: "x", state: null, iss: "https://g" })).toBe("https://a.example/cb?code=x&iss=https%3A%2F%2Fg")
    expect(answerUrl("cursor://app/cb?a=%20b", { state: "1&2=3#" })).toBe("cursor://app/cb?a=%20b&state=1%262%3D3%23")
  })
})
