/** The one question that every route behind the bearer check asks. */
import type { Principal } from "../../principal.ts"

export type Verdict =
  | { readonly principal: Principal }
  /** `missing`: no credential was sent. `invalid`: one was, and it is not (or no longer) good. */
  | { readonly refused: "missing" | "invalid" }

export interface Authenticator {
  /**
   * Who sent this request.
   * @param authorization the Authorization header as it came, or null
   * @param audience the mount that is asked for ("/mcp"), or null where there is none; a token bound to one mount is invalid elsewhere
   */
  verify(authorization: string | null, audience: string | null): Verdict
}
