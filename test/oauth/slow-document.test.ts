import { expect, test } from "bun:test"
import { fetchDocument } from "../../src/oauth/document/fetch-document.ts"
import { internet, url } from "./internet.ts"

test("fetchDocument() gives up after five seconds, whoever it is that is silent", async () => {
  const start = performance.now()
  const tries = [
    fetchDocument(url("/silent"), internet()),
    fetchDocument(url("/stuck"), internet()),
    fetchDocument(url("/client.json"), internet(() => new Promise(() => {}))),
  ]
  for (const each of tries) await expect(each).rejects.toThrow(/in 5 s$/)
  expect(performance.now() - start).toBeLessThan(8000)
}, 15_000)
