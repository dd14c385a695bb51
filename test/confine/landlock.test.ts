import { describe, expect, test } from "bun:test"
import { kernelHere } from "../../src/confine/kernel.ts"
import { scratch } from "../helpers/scratch.ts"

const { landlock } = kernelHere()
if (landlock === null) throw new Error("these tests need a kernel with Landlock")

/** What FFI would turn into 0 or cut to 32 bits without a word. */
const BAD_DESCRIPTORS = [-1, 1.5, Number.NaN, 2 ** 31, undefined, null, {}] as number[]

describe("bindLandlock()", () => {
  test.each(BAD_DESCRIPTORS)("takes %p for no descriptor", (fd) => {
    expect(() => landlock.allowPath(fd, 1n, 0)).toThrow(RangeError)
    expect(() => landlock.allowPath(0, 1n, fd)).toThrow(RangeError)
    expect(() => landlock.restrictSelf(fd)).toThrow(RangeError)
    expect(() => landlock.keepThroughExec([fd])).toThrow(RangeError)
  })

  test.each([-1, 65_536, Number.NaN])("takes %p for no port", (port) => {
    expect(() => landlock.allowPort(0, 1n, port)).toThrow(RangeError)
  })

  test.each([-1n, 1n << 63n, 1 as unknown as bigint])("takes %p for no mask of rights", (rights) => {
    expect(() => landlock.allowPath(0, rights, 0)).toThrow(RangeError)
    expect(() => landlock.createRuleset({ fs: rights, tcp: 0n, scopes: 0n })).toThrow(RangeError)
  })

  test("refuses execve() with a NUL inside a string or without arguments", () => {
    expect(() => landlock.execve("/bin/true", [Buffer.from("a\0b")], [])).toThrow(TypeError)
    expect(() => landlock.execve("/bin/true", [], [])).toThrow(TypeError)
  })

  test("answers -errno when the kernel refuses", () => {
    expect(landlock.createRuleset({ fs: 1n << 62n, tcp: 0n, scopes: 0n })).toBe(-22)
    using empty = scratch()
    expect(landlock.execve(empty.at("none"), [Buffer.from("x")], [])).toBe(-2)
  })
})
