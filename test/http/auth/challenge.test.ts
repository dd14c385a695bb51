import { describe, expect, test } from "bun:test"
import { createChallenge } from "../../../src/http/auth/challenge.ts"

const withoutOAuth = createChallenge(() => null)
const withOAuth = createChallenge((mount) => ({
  metadataUrl: `https://files.example/.well-known/oauth-protected-resource${mount}`,
  scope: "mcp",
}))

describe("createChallenge", () => {
  test("names no error when no credential was sent", () => {
    expect(withoutOAuth("missing", "/mcp")).toBe('Bearer realm="serverfs"')
  })

  test("says invalid_token when one was", () => {
    expect(withoutOAuth("invalid", "/mcp")).toBe('Bearer realm="serverfs", error="invalid_token"')
  })

  test("points to the mount's metadata and names the scope while OAuth is on", () => {
    expect(withOAuth("missing", "/mcp")).toBe(
      'Bearer realm="serverfs", resource_metadata="https://files.example/.well-known/oauth-protected-resource/mcp", scope="mcp"',
    )
    expect(withOAuth("insufficient_scope", "/files-mcp")).toBe(
      'Bearer realm="serverfs", error="insufficient_scope", resource_metadata="https://files.example/.well-known/oauth-protected-resource/files-mcp", scope="mcp"',
    )
  })
})
