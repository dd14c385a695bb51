/** The last step of a start: the first token, where nobody could get in without, and the message that shows it. */
import { ensureFirstToken, FIRST_TOKEN } from "../state/first-token.ts"
import type { State } from "../state/state.ts"
import { failedUse } from "../state/with-state.ts"
import { type Failure, failureOf, faultsOf } from "./report-failure.ts"
import { type Started, startupMessage } from "./startup-message.ts"
import { showOnce, StdoutError, writeOut } from "./stdout.ts"

export interface Greeting extends Omit<Started, "firstToken"> {
  readonly state: State
  /** `--new-token`: replace a lost one. */
  readonly renew: boolean
}

/** Why the start fails after all; null = it has not. */
export function greet({ state, renew, ...started }: Greeting): Failure | null {
  const { token, stateDir } = started.config
  let outcome = "the first token is not made"
  try {
    const firstToken = ensureFirstToken(state, { hasCredential: token !== null || state.operatorSecret.exists, renew, now: Date.now() })
    outcome = "the first token is made and was not shown: start again with --new-token"
    const lost = lostOf(firstToken === null ? writeOut : showOnce, `${startupMessage({ ...started, firstToken })}\n`)
    if (lost !== null && firstToken !== null) {
      state.tokens.revoke(FIRST_TOKEN)
      console.error(`serverfs: the first token can't be shown: ${lost.message}; it is revoked again, and the next start makes another ('serverfs token create' works too)`)
    }
    return null
  } catch (error) {
    const faults = faultsOf(failedUse(stateDir, outcome, error))
    if (faults === null) throw error
    return failureOf(faults)
  }
}

/** Why the text was not written; null = it was. */
function lostOf(write: (text: string) => void, text: string): StdoutError | null {
  try {
    write(text)
    return null
  } catch (error) {
    if (error instanceof StdoutError) return error
    throw error
  }
}
