/** Whether a connection may be kept for a next call: each costs a descriptor, and calls and threads need some too. */
import { MAX_DESCRIPTORS, openDescriptors } from "../descriptors.ts"

/** Of all descriptors, those that may be taken while connections are still kept. */
const KEPT_SHARE = 0.5

/** What tells it, spending no more than a tenth of the time on it. */
export function createKeeping(): () => boolean {
  let kept = true
  let next = 0
  return () => {
    const now = performance.now()
    if (now < next) return kept
    kept = openDescriptors() < KEPT_SHARE * MAX_DESCRIPTORS
    next = now + 10 * (performance.now() - now)
    return kept
  }
}
