/** Whether a connection may be kept for a next call: each costs a descriptor, and calls and threads need some too. */
import { MAX_DESCRIPTORS, openDescriptors } from "../descriptors.ts"

/** Of all descriptors, those that may be taken while connections are still kept. */
const KEPT_SHARE = 0.5

/** How long an answer holds: half of all descriptors are not taken in that time. */
const HOLDS_MS = 20

/** What tells it; looking costs up to 0.1 ms where the kernel does not count them, so it looks fifty times a second at most. */
export function createKeeping(): () => boolean {
  let kept = true
  let next = 0
  return () => {
    const now = performance.now()
    if (now < next) return kept
    kept = openDescriptors() < KEPT_SHARE * MAX_DESCRIPTORS
    next = now + HOLDS_MS
    return kept
  }
}
