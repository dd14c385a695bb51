import type { GrantTerms } from "../../src/state/grants.ts"

export const TERMS: GrantTerms = {
  clientId: "client",
  clientName: "Test client",
  mount: "/mcp",
  resource: "https://gate.example.net/mcp",
  workdirs: ["src"],
  readOnly: true,
  expires: null,
}

export const BINDING = { redirectUri: "https://client.example.net/callback", challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" }

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
