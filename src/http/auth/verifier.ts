/** One kind of credential. Adding a kind is a file with one of these and a line in create-authenticator.ts. */
import type { Principal } from "../../principal.ts"

/**
 * The principal behind a bearer token, or null when it is not of this kind, or no longer good.
 * @param digest SHA-256 of the token's text, in which alone verifiers know it
 * @param audience the mount that is asked for, or null where there is none
 */
export type Verifier = (digest: Uint8Array, audience: string | null) => Principal | null
