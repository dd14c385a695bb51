/**
 * Cancellation in the older revisions: a notification, in a POST of its own, that names the request by an id which every client counts
 * from 0. So initialize gives each client a session id, which says whose request is meant and nothing else: nothing is kept under it but
 * the calls in flight, and any id, or none, is as good as another for everything but cancelling.
 */
import type { Caller } from "./call.ts"

export const SESSION_HEADER = "Mcp-Session-Id"

export class Cancellations {
  readonly #inFlight = new Map<string, AbortController>()

  /** Makes a call that its client can cancel. `call` gets the caller with a signal that aborts then, too. */
  async cancellable<T>(caller: Caller, session: string | null, id: string | number, call: (caller: Caller) => T | Promise<T>): Promise<T> {
    if (session === null) return call(caller)
    const key = keyOf(caller, session, id)
    const controller = new AbortController()
    this.#inFlight.set(key, controller)
    try {
      return await call({ ...caller, signal: AbortSignal.any([caller.signal, controller.signal]) })
    } finally {
      if (this.#inFlight.get(key) === controller) this.#inFlight.delete(key)
    }
  }

  /** Cancels the call that a message names, if it is a notification of this kind and the same principal and session made that call. */
  heed(message: unknown, caller: Caller, session: string | null): void {
    const id = session === null ? undefined : cancelledId(message)
    if (session !== null && id !== undefined) this.#inFlight.get(keyOf(caller, session, id))?.abort()
  }
}

function keyOf({ principal }: Caller, session: string, id: string | number): string {
  return JSON.stringify([principal.name, session, id])
}

function cancelledId(message: unknown): string | number | undefined {
  if (typeof message !== "object" || message === null || !("method" in message) || message.method !== "notifications/cancelled") return undefined
  const params = "params" in message ? message.params : undefined
  const id = typeof params === "object" && params !== null && "requestId" in params ? params.requestId : undefined
  return typeof id === "string" || typeof id === "number" ? id : undefined
}
