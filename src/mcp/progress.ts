/** Progress of a call, as notifications on its own response stream. */
import type { CallContext } from "./service.ts"

export type ProgressToken = string | number

interface Notice {
  readonly method: "notifications/progress"
  readonly params: { readonly progressToken: ProgressToken; readonly progress: number; readonly total?: number }
}

/** A client that does not read must not make us hoard notices: it gets at most 25 a second, the last one always. */
const INTERVAL_MS = 40

/** @param send rejects once the stream has gone, when nobody is left to tell */
export function progressNotices(progressToken: ProgressToken, send: (notice: Notice) => Promise<void>): NonNullable<CallContext["progress"]> {
  let last = Number.NEGATIVE_INFINITY
  return (done, total) => {
    const now = performance.now()
    if (now - last < INTERVAL_MS && done !== total) return
    last = now
    const params = { progressToken, progress: done, ...(total === undefined ? {} : { total }) }
    send({ method: "notifications/progress", params }).catch(() => {})
  }
}
