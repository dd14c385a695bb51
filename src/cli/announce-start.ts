/** The last step of a start: the first token, where nobody could get in without, and the message that shows it. */
import { ensureFirstToken, FIRST_TOKEN, needsFirstToken } from "../state/first-token.ts"
import type { State } from "../state/state.ts"
import { failedUse } from "../state/with-state.ts"
import { type Failure, failureOf, faultsOf } from "./report-failure.ts"
import { type Started, startupMessage } from "./startup-message.ts"
import { assertSeen, StdoutError, writeOut } from "./stdout.ts"

export interface Announcement extends Omit<Started, "firstToken"> {
  readonly state: State
  /** `--new-token`: replace a lost one. */
  readonly renew: boolean
}

/** Why the start fails after all; null = it has not. */
export function announceStart({ state, renew, ...started }: Announcement): Failure | null {
  const { token, stateDir } = started.config
  const options = { hasCredential: token !== null || state.operatorSecret.exists, renew, now: Date.now() }
  let outcome = "the first token is as it was"
  try {
    // Before it is made: one that is in use must not give way to one that nobody sees.
    if (needsFirstToken(state, options)) assertSeen()
    const firstToken = ensureFirstToken(state, options)
    outcome = "the first token is made and was not shown: start again with --new-token"
    show(`${startupMessage({ ...started, firstToken })}\n`, firstToken === null ? null : () => state.tokens.revoke(FIRST_TOKEN))
  } catch (error) {
    const faults = faultsOf(failedUse(stateDir, outcome, error))
    if (faults !== null) return failureOf(faults)
    if (!(error instanceof StdoutError)) throw error
    console.error(`serverfs: ${error.message}, so no first token is left that nobody has seen; start again with --new-token, or use 'serverfs token create'`)
  }
  return null
}

/** @param takeBack undoes what the text would have shown; null when it shows nothing that would be missed. @throws StdoutError for what would be missed */
function show(text: string, takeBack: (() => void) | null): void {
  try {
    writeOut(text)
  } catch (error) {
    if (takeBack === null && error instanceof StdoutError) return
    takeBack?.()
    throw error
  }
}
