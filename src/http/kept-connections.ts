/** Whether a connection may be kept for a next call: each costs a descriptor, and calls and threads need some too. */
import { MAX_DESCRIPTORS, openDescriptors } from "../descriptors.ts"

/** Of all descriptors, those that may be taken while connections are still kept. */
const KEPT_SHARE = 0.5

/** How long a look is good for, and for how many answers: each may be of a connection of its own. */
const GOOD_FOR_MS = 20
const GOOD_FOR_ANSWERS = Math.ceil(MAX_DESCRIPTORS / 16)

/** What tells it; looking costs up to 0.1 ms where the kernel does not count them, so not every answer looks. */
export function createKeeping(): () => boolean {
  let kept = true
  let until = 0
  let left = 0
  return () => {
    const now = performance.now()
    if (now < until && left-- > 0) return kept
    kept = openDescriptors() < KEPT_SHARE * MAX_DESCRIPTORS
    until = now + GOOD_FOR_MS
    left = GOOD_FOR_ANSWERS
    return kept
  }
}
