import { describe, expect, test } from "bun:test"
import { challenge } from "../../../src/http/auth/challenge.ts"

const RESOURCE = { metadataUrl: "https://files.example/.well-known/oauth-protected-resource/mcp", scope: "mcp" }

describe("challenge", () => {
  test("names no error when no credential was sent", () => {
    expect(challenge("missing", null)).toBe('Bearer realm="serverfs"')
  })

  test("says invalid_token when one was", () => {
    expect(challenge("invalid", null)).toBe('Bearer realm="serverfs", error="invalid_token"')
  })

  test("points to the metadata and names the scope while OAuth is on", () => {
    expect(challenge("missing", RESOURCE)).toBe(
      'Bearer realm="serverfs", resource_metadata="https://files.example/.well-known/oauth-protected-resource/mcp", scope="mcp"',
    )
    expect(challenge("insufficient", RESOURCE)).toContain('error="insufficient_scope", resource_metadata=')
  })
})
