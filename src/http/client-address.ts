/** Whom a request came from. A forwarded address is believed only when a configured proxy says it. */

type Bytes = readonly number[]

interface Block {
  readonly network: Bytes
  readonly bits: number
}

/** @param peer the address at the other end of the socket @returns the client's address as far as it can be trusted */
export type ClientAddress = (peer: string | null, headers: Headers) => string | null

/**
 * @param trustedProxies addresses or CIDR blocks
 *
 * X-Forwarded-For is read from the right, up to the first address that is not a trusted proxy: what stands left of it, a client can have
 * written. cloudflared sends that header too, so CF-Connecting-IP, which other proxies pass through unchanged, counts only without it.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const blocks = trustedProxies.flatMap((text) => block(text) ?? [])
  const trusted = (address: string): boolean => {
    const bytes = addressBytes(address)
    return bytes !== null && blocks.some((one) => inside(bytes, one))
  }
  return (peer, headers) => {
    if (peer === null || !trusted(peer)) return peer
    const forwarded = headers.get("x-forwarded-for")
    if (forwarded !== null) return rightmost(forwarded, trusted) ?? peer
    const connecting = headers.get("cf-connecting-ip")
    return connecting !== null && addressBytes(connecting) !== null ? connecting : peer
  }
}

function rightmost(forwarded: string, trusted: (address: string) => boolean): string | null {
  for (const entry of forwarded.split(",").reverse()) {
    const address = entry.trim()
    if (addressBytes(address) === null) return null
    if (!trusted(address)) return address
  }
  return null
}

/** "10.0.0.0/8" or a single address; null for anything else. */
function block(text: string): Block | null {
  const [address = "", length] = text.split("/")
  const network = addressBytes(address)
  if (network === null) return null
  const mapped = network.length === 4 && address.includes(":") ? 96 : 0
  const bits = length === undefined ? network.length * 8 : /^\d{1,3}$/.test(length) ? Number(length) - mapped : -1
  return bits >= 0 && bits <= network.length * 8 ? { network, bits } : null
}

function inside(address: Bytes, { network, bits }: Block): boolean {
  if (address.length !== network.length) return false
  return network.every((byte, i) => {
    const mask = (0xff00 >> Math.min(8, Math.max(0, bits - i * 8))) & 0xff
    return ((address[i] ?? 0) & mask) === (byte & mask)
  })
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** 4 bytes for IPv4, mapped into IPv6 or not, 16 for other IPv6, null for what is no address. */
export function addressBytes(text: string): Bytes | null {
  if (!text.includes(":")) return fourBytes(text)
  const long = sixteenBytes(text)
  return long !== null && MAPPED.every((byte, i) => byte === long[i]) ? long.slice(12) : long
}

function fourBytes(text: string): Bytes | null {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null
  return parts.map(Number)
}

function sixteenBytes(text: string): Bytes | null {
  const halves = text.split("::")
  const [head, tail] = [groups(halves[0] ?? "", halves.length === 1), groups(halves[1] ?? "", true)]
  if (halves.length > 2 || head === null || tail === null) return null
  const missing = 16 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 2) return null
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail]
}

/** The bytes of colon-separated groups; the last group of an address may be an IPv4 address. */
function groups(text: string, ends: boolean): Bytes | null {
  if (text === "") return []
  const bytes: number[] = []
  const parts = text.split(":")
  for (const [i, part] of parts.entries()) {
    const four = ends && i === parts.length - 1 ? fourBytes(part) : null
    if (four !== null) bytes.push(...four)
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) bytes.push(Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff)
    else return null
  }
  return bytes
}
