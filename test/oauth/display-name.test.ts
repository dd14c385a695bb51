import { expect, test } from "bun:test"
import { displayName } from "../../src/oauth/display-name.ts"

test.each([
  ["Claude", "Claude"],
  ["  VS\tCode\n Insiders ", "VS Code Insiders"],
  ["", "unnamed client"],
  ["\u200b\u202e", "unnamed client"],
  ["ab\u202e\u2066cd\u0000\u001b[2K\u2028e", "ab cd [2K e"],
  ["é", "é"],
  ["<script>&\"'", "<script>&\"'"],
  ["x".repeat(61), `${"x".repeat(60)}…`],
  ["𝒳".repeat(60), "𝒳".repeat(60)],
  ["x".repeat(1_000_000), `${"x".repeat(60)}…`],
])("displayName() of %j", (text, name) => {
  expect(displayName(text)).toBe(name)
})
