/** The bearer check: the Authorization header, and nothing else, says who is calling. */
import type { Config } from "../../config/config.ts"
import type { State } from "../../state/state.ts"
import { digestOf } from "../../state/token-text.ts"
import type { Authenticator } from "./authenticator.ts"
import { namedToken } from "./named-token.ts"
import { oauthToken } from "./oauth-token.ts"
import { staticToken } from "./static-token.ts"
import type { Verifier } from "./verifier.ts"

export interface AuthenticatorOptions {
  readonly config: Pick<Config, "token">
  readonly state: State
  /** The URL that a mount's access tokens are bound to; absent while OAuth is off: then none is good. */
  readonly resourceOf?: ((mount: string) => string) | undefined
}

/** Whatever comes after the scheme was meant for a token. */
const PRESENTED = /^bearer\s+\S/i
const BEARER = /^bearer +(\S+) *$/i

/** Asks one verifier after the other. There is no lockout: 256 random bits can't be guessed, and a valid token always passes. */
export function createAuthenticator({ config, state, resourceOf }: AuthenticatorOptions): Authenticator {
  const verifiers: readonly Verifier[] = [
    ...(config.token === null ? [] : [staticToken(config.token)]),
    namedToken(state.tokens),
    ...(resourceOf === undefined ? [] : [oauthToken(state.grants, resourceOf)]),
  ]
  return {
    verify(authorization, audience) {
      // RFC 6750 §3.1: another scheme, or none, is no token that could be bad.
      if (authorization === null || !PRESENTED.test(authorization)) return { refused: "missing" }
      const text = BEARER.exec(authorization)?.[1]
      if (text === undefined) return { refused: "invalid" }
      const digest = digestOf(text)
      for (const verify of verifiers) {
        const principal = verify(digest, audience)
        if (principal !== null) return { principal }
      }
      return { refused: "invalid" }
    },
  }
}
