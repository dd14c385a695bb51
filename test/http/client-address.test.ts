import { describe, expect, test } from "bun:test"
import { addressBytes, createClientAddress } from "../../src/http/client-address.ts"

describe("addressBytes()", () => {
  test.each<[string, number[] | null]>([
    ["127.0.0.1", [127, 0, 0, 1]],
    ["::ffff:127.0.0.1", [127, 0, 0, 1]],
    ["::FFFF:7f00:1", [127, 0, 0, 1]],
    ["::1", [...Array.from({ length: 15 }, () => 0), 1]],
    ["2001:db8::ff", [0x20, 0x01, 0x0d, 0xb8, ...Array.from({ length: 11 }, () => 0), 0xff]],
    ["1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ["256.0.0.1", null],
    ["1.2.3", null],
    ["1.2.3.4.5", null],
    ["1:2:3:4:5:6:7", null],
    ["1:2:3:4:5:6:7:8:9", null],
    ["1::2::3", null],
    ["12345::", null],
    ["1.2.3.4::", null],
    ["unknown", null],
    ["", null],
  ])("%p is %p", (text, bytes) => {
    expect(addressBytes(text)).toEqual(bytes)
  })
})

describe("createClientAddress()", () => {
  const address = createClientAddress(["127.0.0.1", "::1", "10.0.0.0/8", "2001:db8::/33", "nonsense"])
  const forwarded = (value: string) => new Headers({ "x-forwarded-for": value })

  test.each<[string, string, string | null, string]>([
    ["an untrusted peer's header is not believed", "192.0.2.1", "198.51.100.1", "192.0.2.1"],
    ["a trusted peer's is", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["mapped into IPv6 too", "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["what a client wrote itself stands left and is not believed", "127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["trusted proxies on the way are skipped", "127.0.0.1", "1.1.1.1, 198.51.100.1, 10.1.2.3", "198.51.100.1"],
    ["a chain of nothing but proxies is the peer", "127.0.0.1", "10.1.1.1, 10.1.2.3", "127.0.0.1"],
    ["a hop that is no address ends the chain", "127.0.0.1", "198.51.100.1, unknown", "127.0.0.1"],
    ["a prefix that ends inside a byte: inside", "2001:db8:7fff::1", "198.51.100.1", "198.51.100.1"],
    ["a prefix that ends inside a byte: outside", "2001:db8:8000::1", "198.51.100.1", "2001:db8:8000::1"],
    ["no header", "127.0.0.1", null, "127.0.0.1"],
  ])("%s", (_what, peer, header, expected) => {
    expect(address(peer, header === null ? new Headers() : forwarded(header))).toBe(expected)
  })

  test("CF-Connecting-IP counts only from a trusted peer, and only without X-Forwarded-For", () => {
    const cloudflare = new Headers({ "cf-connecting-ip": "198.51.100.1" })
    expect(address("127.0.0.1", cloudflare)).toBe("198.51.100.1")
    expect(address("192.0.2.1", cloudflare)).toBe("192.0.2.1")
    expect(address("127.0.0.1", new Headers({ "cf-connecting-ip": "1.1.1.1", "x-forwarded-for": "198.51.100.1" }))).toBe("198.51.100.1")
    expect(address("127.0.0.1", new Headers({ "cf-connecting-ip": "evil" }))).toBe("127.0.0.1")
  })

  test("nothing is believed unless configured, and an unknown peer stays unknown", () => {
    expect(createClientAddress([])("127.0.0.1", forwarded("198.51.100.1"))).toBe("127.0.0.1")
    expect(address(null, forwarded("198.51.100.1"))).toBeNull()
  })
})
