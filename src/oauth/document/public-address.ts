/** Which addresses are on the public Internet (IANA's special-purpose registries): nothing else is ever connected to. */
import { BlockList, isIP } from "node:net"

const IPV4_SPECIAL = [
  "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
  "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
]
/** Inside it: addresses that carry another one (Teredo, 6to4), benchmarking, documentation. */
const IPV6_SPECIAL = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
/** All of global unicast; what lies outside (mapped and translated IPv4, local, multicast) is not public. */
const IPV6_GLOBAL = ["2000::/3"]

function list(blocks: readonly string[]): BlockList {
  const result = new BlockList()
  for (const block of blocks) {
    const [network = "", bits] = block.split("/")
    result.addSubnet(network, Number(bits), isIP(network) === 4 ? "ipv4" : "ipv6")
  }
  return result
}

const special = list([...IPV4_SPECIAL, ...IPV6_SPECIAL])
const global = list(IPV6_GLOBAL)

/** False for what is no address too. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, "ipv4")
  return version === 6 && global.check(address, "ipv6") && !special.check(address, "ipv6")
}
