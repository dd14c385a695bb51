/** The last step of a start: the first token, where nobody could get in without, and the message that shows it. */
import { ensureFirstToken } from "../state/first-token.ts"
import type { State } from "../state/state.ts"
import { failedUse } from "../state/with-state.ts"
import { type Failure, failureOf, faultsOf } from "./report-failure.ts"
import { type Started, startupMessage } from "./startup-message.ts"

export interface Greeting extends Omit<Started, "firstToken"> {
  readonly state: State
  /** `--new-token`: replace a lost one. */
  readonly renew: boolean
}

/** Why the start fails after all; null = it has not. */
export function greet({ state, renew, ...started }: Greeting): Failure | null {
  const { token, stateDir } = started.config
  try {
    const firstToken = ensureFirstToken(state, { hasCredential: token !== null || state.operatorSecret.exists, renew, now: Date.now() })
    console.log(startupMessage({ ...started, firstToken }))
    return null
  } catch (error) {
    const faults = faultsOf(failedUse(stateDir, "the first token is not made", error))
    if (faults === null) throw error
    return failureOf(faults)
  }
}
