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

/** Whether ensureFirstToken() would make one. */
export function needsFirstToken(state: State, { hasCredential, renew }: Omit<FirstTokenOptions, "now">): boolean {
  return renew || (!hasCredential && state.tokens.list().length === 0)
}

/** The text of a token made just now, to be shown once; null when none was needed. */
export function ensureFirstToken(state: State, options: FirstTokenOptions): string | null {
  if (!needsFirstToken(state, options)) return null
  const { renew, now } = options
  return renew ? state.tokens.replace(FIRST_TOKEN, FULL_RIGHTS, now) : state.tokens.create(FIRST_TOKEN, FULL_RIGHTS, now)
}
