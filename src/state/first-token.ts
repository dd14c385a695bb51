/** The token that a gateway without any credential makes for itself (contract §7, "No configuration"). */
import type { State } from "./state.ts"

/** Not for `token create`: `--new-token` replaces whatever has this name by a token with full rights. */
export const FIRST_TOKEN = "first"

const FULL_RIGHTS = { mounts: null, workdirs: null, readOnly: false, expires: null } as const

export interface FirstTokenOptions {
  /** A static token or an operator secret is there: people get in without. */
  readonly hasCredential: boolean
  /** `--new-token`: replace a lost one. */
  readonly renew: boolean
  readonly now: number
}

/** The text of a token made just now, to be shown once; null when none was needed. */
export function ensureFirstToken(state: State, { hasCredential, renew, now }: FirstTokenOptions): string | null {
  if (renew) return state.tokens.replace(FIRST_TOKEN, FULL_RIGHTS, now)
  if (hasCredential || state.tokens.list().length > 0) return null
  return state.tokens.create(FIRST_TOKEN, FULL_RIGHTS, now)
}
