import { describe, expect, test } from "bun:test"
import { allowedHost, allowedOrigin, bindHost, metrics, proxy, publicUrl } from "../../../src/config/variables/net-kind.ts"

const CASES = [
  ["bindHost", bindHost, {
    "127.0.0.1": "127.0.0.1", "0.0.0.0": "0.0.0.0", "::1": "::1", "[::]": "::", "::": "::", LocalHost: "localhost", "my-host.lan": "my-host.lan", my_host: "my_host",
  }, ["127.0.0.1:80", "[::1]:80", "999.1.1.1", "127.1", "1.2.3.4.5", "*", "a b", "http://a", "a/b", "[127.0.0.1]", "-a", ".", "a."]],
  ["allowedHost", allowedHost, {
    "Files.Example.org": "files.example.org", "files.example.org:8443": "files.example.org", "10.0.0.1": "10.0.0.1",
    "::1": "[::1]", "[2001:DB8:0::1]:80": "[2001:db8::1]",
  }, ["*", "*.example.org", "https://a.org", "a.org/x", "a@b", "a.org:", "a.org:x", "[a]", "a b", "a,b"]],
  ["allowedOrigin", allowedOrigin, {
    "https://app.example.org": "https://app.example.org", "HTTP://Localhost:6274": "http://localhost:6274", "https://a.org/": "https://a.org",
    "vscode-webview://abc": "vscode-webview://abc",
  }, ["null", "*", "https://*.a.org", "a.org", "https://a.org/x", "https://u@a.org", "https://a.org?q", "https://a.org#f", "https://a.org:443", "file:///a", "https://", "javascript:alert(1)"]],
  ["publicUrl", publicUrl, {
    "https://files.example.org": "https://files.example.org", "https://files.example.org/": "https://files.example.org",
    "http://127.0.0.1:8000": "http://127.0.0.1:8000", "https://a.org/base/": "https://a.org/base", "HTTPS://A.org": "https://a.org", "https://a.org/my-mcp": "https://a.org/my-mcp",
  }, ["files.example.org", "ftp://a.org", "https://u:p@a.org", "https://u@a.org", "https://@a.org", "https://a.org?x=1", "https://a.org?", "https://a.org#", "https://", "https:a.org", "https://a b", "https:\\\\a.org", "javascript:1", "https://a.org/mcp", "https://a.org/base/files-mcp/"]],
  ["proxy", proxy, {
    "10.0.0.1": "10.0.0.1", "10.0.0.0/8": "10.0.0.0/8", "::1": "::1", "fd00::/8": "fd00::/8", "0.0.0.0/0": "0.0.0.0/0",
  }, ["10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0", "host", "10.0.0.0/a", "10.0.0.0/-1", "loopback"]],
  ["metrics", metrics, {
    off: null, False: null, "0": null, ON: { port: null }, true: { port: null }, "1": { port: null }, "9464": { port: 9464 },
  }, ["2", "65536", "80", "127.0.0.1:9464"]],
] as const

describe.each(CASES)("%s", (_name, kind, accepted, refused) => {
  test.each(Object.entries(accepted))("takes %s", (text, value) => {
    expect<unknown>(kind.parse(text)).toEqual(value)
  })

  test.each([...refused])("refuses %j", (text) => {
    expect(kind.parse(text)).toBeUndefined()
  })
})
