/** A call that runs on for as long as it reports progress ends when its caller's token does. All others end by their deadline. */
import { ToolError } from "../errors.ts"
import type { CallContext } from "./service.ts"

/** @param entitled whether the token is still good; asked with each report */
export function tethered(context: CallContext, entitled: () => boolean): CallContext {
  const { progress, signal } = context
  if (progress === undefined) return context
  const tether = new AbortController()
  return {
    ...context,
    signal: AbortSignal.any([signal, tether.signal]),
    progress: (done, total) => {
      if (entitled()) return progress(done, total)
      tether.abort(new ToolError("ACCESS_DENIED", { detail: "the token is no longer good" }))
    },
  }
}
