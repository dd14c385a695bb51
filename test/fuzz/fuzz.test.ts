/** A glimpse of what run.ts does for a million requests. */
import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { fuzz } from "./fuzz.ts"

test("a stream of hostile requests meets no crash, no 500, and nothing of the host in any answer or log line", async () => {
  // Its trees hold a link to /etc.
  const owner = statSync("/etc/passwd").uid
  const { faults, requests, codes } = await fuzz({ seed: 1, requests: 1000 })
  expect(faults).toEqual([])
  expect(statSync("/etc/passwd").uid).toBe(owner)
  // It counts only if it got past the gates.
  expect(requests).toBe(1000)
  expect(Object.keys(codes).length).toBeGreaterThan(8)
})
