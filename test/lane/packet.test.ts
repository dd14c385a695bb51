import { describe, expect, test } from "bun:test"
import type { FromLane } from "../../src/lane/messages.ts"
import { pack, unpack } from "../../src/lane/packet.ts"

const done = (id: number, value: unknown): FromLane => ({ kind: "done", id, value })

describe("pack() and unpack()", () => {
  test.each([
    ["short and long texts, in any order", ["x\n".repeat(4000), "short", "y".repeat(4096), "z".repeat(4095)]],
    ["what JSON escapes, and what is not Latin-1", ['"\\\u0000\n'.repeat(2000), "ÿ\u2028😀\n".repeat(2000), "\ud800".repeat(5000)]],
  ])("bring %s over unchanged", (_, texts) => {
    const messages = texts.map((content, i) => done(i, { content, revision: `v1:${i}\n`, lines: i }))
    expect(unpack(pack(messages))).toEqual(messages)
  })

  test("bring over every other kind of message, and values without a text", () => {
    const messages: FromLane[] = [
      { kind: "pong" },
      { kind: "progress", id: 1, done: 3, total: null },
      { kind: "failed", id: 2, failure: { cancelled: true } },
      done(3, null),
      done(4, { content: null }),
      done(5, { content: ["x".repeat(5000)] }),
    ]
    expect(unpack(pack(messages))).toEqual(messages)
  })

  test("leave a long text out of the JSON", () => {
    const text = '"'.repeat(10_000)
    expect(pack([done(1, { content: text })]).length).toBeLessThan(text.length + 100)
  })
})
