import { z } from "zod"

const MAX_BYTES = 4096

/** Text that a matcher is given: no NUL, no lone surrogate (no file has one either), and not endless. */
function isUsable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0") && Buffer.byteLength(text) <= MAX_BYTES
}

/** A query, pattern or glob; "" may pass. */
export const expression = z.string().refine(isUsable, `must be well-formed Unicode without a NUL, at most ${MAX_BYTES} bytes long`)
