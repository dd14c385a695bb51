import { describe, expect, test } from "bun:test"
import { faultLine } from "../../src/config/fault.ts"

describe("faultLine()", () => {
  test("is one line that nothing in a value can end or repaint", () => {
    const line = faultLine({ variable: "SERVERFS_X\n", message: "a\u001b[2J\u009b\u202e\u2028b" })
    expect(line).toBe("serverfs: CONFIGURATION_ERROR: SERVERFS_X\\u000a: a\\u001b[2J\\u009b\\u202e\\u2028b")
  })
})
