/** Names of what is not published yet. */
import { TEMP_PREFIX } from "../../workdir/reserved.ts"

/** A reserved name that nobody can guess or have taken: 128 random bits. */
export function tempName(): string {
  return TEMP_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")
}
