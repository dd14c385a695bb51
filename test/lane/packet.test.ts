import { describe, expect, test } from "bun:test"
import { JsonText } from "../../src/json-text.ts"
import type { FromLane } from "../../src/lane/messages.ts"
import { pack, Unpacker } from "../../src/lane/packet.ts"

const done = (id: number, value: unknown): FromLane => ({ kind: "done", id, value })

function overAndBack(messages: readonly FromLane[], unpacker = new Unpacker()): readonly FromLane[] {
  return pack(messages).flatMap((text) => unpacker.take(text))
}

/** With the notes of where texts are, which unpack() leaves in place, taken out. */
const values = (messages: readonly FromLane[]) => messages.map((message) => (message.kind === "done" ? message.value : message))

describe("pack() and Unpacker", () => {
  test.each([
    ["short and long texts", ["x\n".repeat(4000), "", "y".repeat(4096), "z"]],
    ["what JSON escapes, and what is not Latin-1", ['"\\\u0000\n'.repeat(2000), "ÿ\u2028😀\n".repeat(2000), "\ud800".repeat(5000)]],
  ])("bring %s over unchanged, in their places", (_, texts) => {
    const messages = texts.map((content, i) => done(i, { lines: i, content: JsonText.of(content), entries: JsonText.of([content, i]), revision: `v1:${i}\n` }))
    const unpacked = values(overAndBack([{ kind: "pong" }, ...messages]))
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
    expect(overAndBack(messages)).toEqual(messages)
  })

  test("one packet after the other, each given out when all of it has come", () => {
    const unpacker = new Unpacker()
    const texts = [...pack([done(1, { a: JsonText.of("x"), b: JsonText.of([1]) })]), ...pack([{ kind: "pong" }]), ...pack([done(2, { content: JsonText.of("") })])]
    expect(texts.map((text) => unpacker.take(text).length)).toEqual([0, 0, 0, 0, 1, 1, 0, 0, 1])
  })
})
