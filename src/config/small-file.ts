/** Files of the operator's that are read whole at start. */
import { readFileSync, statSync } from "node:fs"
import { whyOf } from "./directories/directory.ts"

const LARGEST_BYTES = 2 ** 20

/** The text of a regular file of at most 1 MiB, or why not, going on from its name. Never waits on a FIFO or device. */
export function readSmallFile(path: string): { readonly text: string } | { readonly why: string } {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return { why: "is not a regular file" }
    if (stat.size > LARGEST_BYTES) return { why: `is larger than ${LARGEST_BYTES} bytes` }
    return { text: readFileSync(path, "utf8") }
  } catch (error) {
    return { why: whyOf(error) }
  }
}
