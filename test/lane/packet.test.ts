import { describe, expect, test } from "bun:test"
import { JsonText } from "../../src/json-text.ts"
import type { FromLane } from "../../src/lane/messages.ts"
import { pack, unpack } from "../../src/lane/packet.ts"

const done = (id: number, value: unknown): FromLane => ({ kind: "done", id, value })

/** With the notes of where texts are, which unpack() leaves in place, taken out. */
const values = (messages: readonly FromLane[]) => messages.map((message) => (message.kind === "done" ? message.value : message))

describe("pack() and unpack()", () => {
  test.each([
    ["short and long texts", ["x\n".repeat(4000), "", "y".repeat(4096), "z"]],
    ["what JSON escapes, and what is not Latin-1", ['"\\\u0000\n'.repeat(2000), "ÿ\u2028😀\n".repeat(2000), "\ud800".repeat(5000)]],
  ])("bring %s over unchanged, in their places", (_, texts) => {
    const messages = texts.map((content, i) => done(i, { lines: i, content: JsonText.of(content), entries: JsonText.of([content, i]), revision: `v1:${i}\n` }))
    const unpacked = values(unpack(pack([{ kind: "pong" }, ...messages])))
    expect(unpacked).toEqual([{ kind: "pong" }, ...values(messages)])
    expect(Object.keys(unpacked[1] as object)).toEqual(["lines", "content", "entries", "revision"])
  })

  test("bring over every other kind of message, and values without a text", () => {
    const messages: FromLane[] = [
      { kind: "pong" },
      { kind: "progress", id: 1, done: 3, total: null },
      { kind: "failed", id: 2, failure: { cancelled: true } },
      done(3, null),
      done(4, { content: null }),
      done(5, { content: ["x\n".repeat(5000)] }),
      done(6, "text"),
    ]
    expect(unpack(pack(messages))).toEqual(messages)
  })

  test("escape a text no second time", () => {
    const text = JsonText.of('"'.repeat(10_000))
    expect(pack([done(1, { content: text })]).length).toBeLessThan(text.text.length + 100)
  })
})
