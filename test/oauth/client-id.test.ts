import { describe, expect, test } from "bun:test"
import { documentUrl } from "../../src/oauth/client-id.ts"

describe("documentUrl", () => {
  test.each([
    "https://claude.ai/oauth/mcp-oauth-client-metadata", "https://claude.ai/oauth/claude-code-client-metadata", "https://chatgpt.com/oauth/client.json",
    "https://chatgpt.com/oauth/abc123/client.json", "https://chatgpt.com/oauth/codex/client.json", "https://vscode.dev/oauth/client-metadata.json", "https://a.example/x?y=1",
  ])("takes %s", (id) => {
    expect(documentUrl(id)?.href).toBe(id)
  })

  test.each([
    "b62f9c28-5476-4d44-ab9f-afb50e425215", "http://claude.ai/x", "https://claude.ai", "https://claude.ai/", "https://claude.ai/?x", "https://claude.ai/x#y", "https://claude.ai/x#",
    "https://user@claude.ai/x", "https://claude.ai:443/x", "https://claude.ai:8443/x", "https://CLAUDE.ai/x", "https://claude.ai/a/../x", "https://claude.ai/./x", "https://claude.ai\\x",
    "https:/claude.ai/x", "https://localhost/x", "https://127.0.0.1/x", "https://2130706433/x", "https://0x7f.1/x", "https://[::1]/x", "https://intranet/x", "https://claude.ai./x",
    "https://10.0.0.1.nip.io:22/x", " https://claude.ai/x", "https://claude.ai/x y", `https://claude.ai/${"x".repeat(512)}`, "https://a;b.example/x",
  ])("refuses %j", (id) => {
    expect(documentUrl(id)).toBeNull()
  })
})
