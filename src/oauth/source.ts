/** Who counts as one when attempts are counted. */
import { isIP } from "node:net"

/** An IPv4 address, or the /64 of an IPv6 one, since that is what one customer is given. */
export function sourceOf(address: string | null): string {
  if (address === null || isIP(address) !== 6) return address ?? "unknown"
  const canonical = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (mapped) return canonical
  const [head = "", tail] = canonical.split("::").map((half) => (half === "" ? [] : half.split(":")))
  const groups = tail === undefined ? head : [...head, ...new Array<string>(8 - head.length - tail.length).fill("0"), ...tail]
  return `${Array.from(groups).slice(0, 4).join(":")}::/64`
}
