import { expect, test } from "bun:test"
import { wishesOf } from "../../src/confine/wishes.ts"

test.each([
  ["https://gate.example.net", "auto", true], ["https://gate.example.net/x", "auto", false], ["http://gate.example.net", "auto", false],
  ["https://gate.example.net", "off", false], [null, "auto", false],
] as const)("wishesOf() reaches out for OAuth alone: %p, OAuth %p", (publicUrl, oauth, connectsOut) => {
  expect(wishesOf({ publicUrl, oauth }, null).connectsOut).toBe(connectsOut)
})
