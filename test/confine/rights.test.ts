import { describe, expect, test } from "bun:test"
import { everyFsRight, fsMask, onlyForFiles } from "../../src/confine/rights.ts"

describe("everyFsRight()", () => {
  test.each([[1, 13], [2, 14], [3, 15], [4, 15], [5, 16], [7, 16]])("ABI %d has %d filesystem rights", (abi, count) => {
    expect(everyFsRight(abi)).toBe((1n << BigInt(count)) - 1n)
  })
})

describe("fsMask()", () => {
  test("sets the bit of each right, as linux/landlock.h numbers them", () => {
    expect(fsMask(["execute", "read_file", "make_sym"], 1)).toBe(1n | 4n | 4096n)
  })

  test("leaves out what the ABI does not know", () => {
    expect(fsMask(["read_dir", "refer", "truncate", "ioctl_dev"], 1)).toBe(8n)
    expect(fsMask(["read_dir", "refer", "truncate", "ioctl_dev"], 3)).toBe(8n | (3n << 13n))
  })
})

describe("onlyForFiles()", () => {
  test("drops the rights that the kernel refuses on a file", () => {
    expect(onlyForFiles(["read_file", "read_dir", "make_reg", "remove_file", "refer", "truncate"])).toEqual(["read_file", "truncate"])
  })
})
