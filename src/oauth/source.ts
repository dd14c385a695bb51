/** Who counts as one when attempts are counted. */
import { addressBytes } from "../http/client-address.ts"

/** An IPv4 address, or the /64 of an IPv6 one, since that is what one customer is given. */
export function sourceOf(address: string | null): string {
  const bytes = address === null ? null : addressBytes(address)
  if (bytes === null) return "unknown"
  return bytes.length === 4 ? bytes.join(".") : Buffer.from(bytes.slice(0, 8)).toString("hex")
}
