/** What is in force, as the `startup` event and doctor say it. */
import { SCOPES, SOUND_ABI, TCP } from "./rights.ts"

export interface Confinement {
  /** enforced: filesystem and TCP. partial: the kernel is too old for some of it, or a root is exempt. off, unavailable: nothing is; see reason. */
  readonly state: "enforced" | "partial" | "off" | "unavailable"
  /** Landlock's ABI in the running kernel; null when it offers none or was not asked. */
  readonly abi: number | null
  /** Contents and names outside the configured directories cannot be read, made, changed or removed. */
  readonly filesystem: boolean
  /** Nor can a file be truncated that may only be read (ABI 3). */
  readonly truncate: boolean
  /** TCP listens on the configured ports only and connects nowhere, or to port 443 where a feature fetches (ABI 4). */
  readonly tcp: boolean
  /** Signals and abstract UNIX sockets of other processes are out of reach (ABI 6). */
  readonly scope: boolean
  /** Read-only roots (aliases; "files") that the kernel does not keep from being changed: see exempt.ts. */
  readonly exempt: readonly string[]
  /** Why nothing is in force; null else. */
  readonly reason: string | null
}

/** What a ruleset of this ABI does. */
export function inForce(abi: number, exempt: readonly string[] = []): Confinement {
  const parts = { filesystem: true, truncate: abi >= SOUND_ABI, tcp: abi >= TCP.since, scope: abi >= SCOPES.since }
  const whole = parts.truncate && parts.tcp && exempt.length === 0
  return { state: whole ? "enforced" : "partial", abi, ...parts, exempt, reason: null }
}

/** Nothing is in force. */
export function without(state: "off" | "unavailable", reason: string): Confinement {
  return { state, abi: null, filesystem: false, truncate: false, tcp: false, scope: false, exempt: [], reason }
}
