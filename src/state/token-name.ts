/** Names of tokens, as the audit shows them. */
import { FIRST_TOKEN } from "./first-token.ts"

/** The holder of the token of SERVERFS_TOKEN, as the audit names it. */
export const STATIC = "static"

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** What the audit calls the holders of credentials that have no name of their own: nobody may pass for them. */
const RESERVED: ReadonlySet<string> = new Set([STATIC, FIRST_TOKEN])

/** Why a token can't be called this; null = it can. */
export function tokenNameFault(name: string): string | null {
  if (!NAME.test(name)) return "must be 1 to 64 letters, digits, '.', '_' or '-', and begin with a letter or digit"
  return RESERVED.has(name) ? "is reserved by serverfs itself" : null
}
