import { expect, test } from "bun:test"
import { fetchDocument } from "../../src/oauth/document/fetch-document.ts"
import { internet, url } from "./internet.ts"

test("fetchDocument() gives up after five seconds, whoever it is that is silent", async () => {
  const start = performance.now()
  const tries = await Promise.allSettled([
    fetchDocument(url("/silent"), internet()),
    fetchDocument(url("/stuck"), internet()),
    fetchDocument(url("/client.json"), internet(() => new Promise(() => {}))),
  ])
  const late = "DocumentFault: docs.example.org did not answer in 5 s"
  expect(tries.map((each) => (each.status === "rejected" ? String(each.reason) : "fetched"))).toEqual([late, late, late])
  expect(performance.now() - start).toBeLessThan(8000)
}, 15_000)
