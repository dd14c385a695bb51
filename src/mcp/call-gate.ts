/** What one principal may have going on at once and in a minute (contract §7). One principal's load never refuses another's call. */
import type { Limits } from "../config/config.ts"
import { ToolError } from "../errors.ts"

/** Calls over maxCallsInFlight that may wait for their turn, per principal. */
export const MAX_WAITING = 256

const MINUTE_MS = 60_000

/** The part of the configuration that is read here. */
export type CallLimits = Pick<Limits, "maxCallsInFlight" | "callsPerMinute" | "bytesPerMinute">

/** The size of a request, until it has been counted. The calls of one batch share it, since it came once. */
export interface Uncounted {
  bytes: number
}

interface Share {
  inFlight: number
  /** First come, first served. */
  readonly waiting: Turn[]
  /** Start of the minute that is being counted, on the clock of performance.now(). */
  since: number
  calls: number
  bytes: number
}

type Turn = () => void

export class CallGate {
  readonly #limits: CallLimits
  readonly #shares = new Map<string, Share>()

  constructor(limits: CallLimits) {
    this.#limits = limits
  }

  /**
   * Takes a place for one call; give it back with leave(). At once when one is free, so that the common call costs no promise.
   * @param size of the request, counted in bytesPerMinute
   * @param deadline on the clock of performance.now(): no longer than that is waited
   * @throws RESOURCE_EXHAUSTED with a retry hint, at once or when it was waited in vain
   */
  enter(principal: string, size: Uncounted, deadline: number, signal: AbortSignal): Promise<void> | undefined {
    const share = this.#share(principal)
    this.#count(share, size)
    if (share.inFlight < this.#limits.maxCallsInFlight) {
      share.inFlight += 1
      return undefined
    }
    if (share.waiting.length >= MAX_WAITING) {
      throw exhausted(`${this.#limits.maxCallsInFlight} calls are in flight and ${MAX_WAITING} wait`, 1)
    }
    return this.#turn(share, deadline, signal)
  }

  /** @param answer in pieces, whose size is counted in bytesPerMinute */
  leave(principal: string, answer: readonly string[]): void {
    const share = this.#shares.get(principal)
    if (share === undefined) return
    if (this.#limits.bytesPerMinute !== null) for (const piece of answer) share.bytes += Buffer.byteLength(piece)
    const next = share.waiting.shift()
    if (next !== undefined) return next()
    share.inFlight -= 1
    if (share.inFlight === 0 && !this.#metered) this.#shares.delete(principal)
  }

  get #metered(): boolean {
    return this.#limits.callsPerMinute !== null || this.#limits.bytesPerMinute !== null
  }

  #share(principal: string): Share {
    const known = this.#shares.get(principal)
    if (known !== undefined) return known
    const share: Share = { inFlight: 0, waiting: [], since: performance.now(), calls: 0, bytes: 0 }
    this.#shares.set(principal, share)
    return share
  }

  #count(share: Share, size: Uncounted): void {
    const { callsPerMinute, bytesPerMinute } = this.#limits
    if (callsPerMinute === null && bytesPerMinute === null) return
    const now = performance.now()
    const minutes = Math.floor((now - share.since) / MINUTE_MS)
    if (minutes > 0) {
      share.since = now
      share.calls = 0
      // An answer counts once it is there: what was more than one minute allows is left for the next.
      share.bytes = Math.max(0, share.bytes - minutes * (bytesPerMinute ?? 0))
    }
    const seconds = Math.ceil((share.since + MINUTE_MS - now) / 1000)
    if (callsPerMinute !== null && share.calls >= callsPerMinute) throw exhausted(`${callsPerMinute} calls a minute are allowed`, seconds)
    if (bytesPerMinute !== null && size.bytes > bytesPerMinute) throw tooLarge(size.bytes, bytesPerMinute)
    if (bytesPerMinute !== null && share.bytes + size.bytes > bytesPerMinute) throw exhausted(`${bytesPerMinute} bytes a minute are allowed`, seconds)
    share.calls += 1
    share.bytes += size.bytes
    size.bytes = 0
  }

  /** Resolves with the place of a call that has left. */
  #turn(share: Share, deadline: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", abort)
      }
      const turn: Turn = () => {
        settle()
        resolve()
      }
      const giveUp = (reason: unknown): void => {
        settle()
        share.waiting.splice(share.waiting.indexOf(turn), 1)
        reject(reason)
      }
      const abort = (): void => giveUp(signal.reason)
      const timer = setTimeout(() => giveUp(exhausted("no call in flight ended in time", 1)), Math.max(0, deadline - performance.now()))
      signal.addEventListener("abort", abort)
      share.waiting.push(turn)
    })
  }
}

function exhausted(detail: string, retryAfter: number): ToolError {
  return new ToolError("RESOURCE_EXHAUSTED", { detail, advice: `try again in ${retryAfter} s`, retryAfter })
}

function tooLarge(bytes: number, allowed: number): ToolError {
  return new ToolError("RESOURCE_EXHAUSTED", {
    detail: `this request alone holds ${bytes} bytes, and ${allowed} bytes a minute are allowed`,
    advice: "send smaller ones; only the operator can raise SERVERFS_BYTES_PER_MINUTE",
    retryAfter: MINUTE_MS / 1000,
  })
}
