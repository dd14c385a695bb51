/** The start of the second image. It imports next to nothing, so that nothing is loaded for it that only the first one needs. */
import { cannotConfine } from "./cannot-confine.ts"
import type { Confinement } from "./confinement.ts"
import { takeHandover } from "./handover.ts"
import { tryProbe } from "./probe.ts"

export interface Confined<T> {
  readonly launch: T
  readonly confinement: Confinement
}

/**
 * What confine() was given, in the image that it started; null in any other. Answers once.
 * Throws CONFIGURATION_ERROR unless the process is confined: it must not be able to open what it could open before.
 * @typeParam T what this same program gave to confine(): plain JSON, frozen here
 */
export function resume<T>(): Confined<T> | null {
  const handover = takeHandover<T>()
  if (handover === null) return null
  const answer = tryProbe(handover.probe)
  if (answer === "EACCES") return { launch: handover.launch, confinement: handover.confinement }
  throw cannotConfine(`the kernel took the rules but does not confine the process (an open outside answered ${answer})`)
}
