import { describe, expect, test } from "bun:test"
import { z } from "zod"
import { ToolError } from "../../src/errors.ts"
import { argumentParser } from "../../src/mcp/arguments.ts"
import { MAX_ELEMENTS } from "../../src/mcp/bounds.ts"
import { publishedSchema } from "../../src/mcp/schema.ts"

const INPUT = z
  .object({
    workdir: z.string().min(1),
    limit: z.int().min(1).max(500).default(100),
    kind: z.enum(["file", "any"]).default("file"),
    edits: z.array(z.object({ old_text: z.string(), count: z.int().min(1).default(1) })).min(1).optional(),
    tail: z.int().optional(),
    deep: z.boolean().optional(),
  })
  .refine(({ tail, limit }) => tail === undefined || limit === 100, { error: "takes at most one of tail and limit" })

const parse = argumentParser(INPUT, publishedSchema(INPUT, "input"))

describe("argumentParser()", () => {
  test("drops another spelling of what was given as well", () => {
    expect(parse({ workdir: "w", "work-dir": "v" })).toMatchObject({ workdir: "w" })
  })

  test("fills defaults, mends and drops what the tool does not know", () => {
    expect(parse({ workdir: "w", limit: "5", unknown: 1, edits: '[{"old_text":"a"}]' })).toEqual({
      workdir: "w",
      limit: 5,
      kind: "file",
      edits: [{ old_text: "a", count: 1 }],
    })
  })

  test.each<[unknown, string]>([
    [{}, "workdir is required"],
    [{ workdir: "" }, "workdir must not be empty"],
    [{ workdir: 1 }, "workdir must be a string"],
    [{ workdir: null }, "workdir must be a string"],
    [{ workdir: "w", limit: "x" }, "limit must be a number"],
    [{ workdir: "w", limit: 1.5 }, "limit must be an integer"],
    [{ workdir: "w", limit: 0 }, "limit must be at least 1"],
    [{ workdir: "w", limit: 501 }, "limit must be at most 500"],
    [{ workdir: "w", kind: "dir" }, 'kind must be one of "file", "any"'],
    [{ workdir: "w", edits: [] }, "edits must not be empty"],
    [{ workdir: "w", edits: "no" }, "edits must be an array"],
    [{ workdir: "w", edits: [{ old_text: "a" }, {}] }, "edits[1].old_text is required"],
    [{ workdir: "w", edits: [{ old_text: "a", count: 0 }] }, "edits[0].count must be at least 1"],
    [{ workdir: "w", deep: "yes" }, "deep must be true or false"],
    [{ workdir: "w", tail: 1, limit: 2 }, "takes at most one of tail and limit"],
    [undefined, "the body is not JSON in UTF-8, or nested too deeply"],
    [null, "the arguments must be one JSON object"],
    [[], "the arguments must be one JSON object"],
    ["{}", "the arguments must be one JSON object"],
  ])("refuses %j with INVALID_ARGUMENTS: %s", (args, detail) => {
    expect(() => parse(args)).toThrow(`INVALID_ARGUMENTS: ${detail}`)
  })

  test.each<[object, string]>([
    [{ workdir: "w", Limit: 5 }, "Limit is not an argument of this tool; limit is"],
    [{ work_dir: "w" }, "work_dir is not an argument of this tool; workdir is"],
    [{ workdir: "w", edits: [{ oldText: "a" }] }, "edits[0].oldText is not an argument of this tool; edits[0].old_text is"],
    [{ workdir: "w", edits: '[{"old_text":"a"},{"old_text":"a","Count":2}]' }, "edits[1].Count is not an argument of this tool; edits[1].count is"],
    [{ workdir: "w", edits: [{ old_text: "a" }, { search: "b" }] }, "edits[1].old_text is required (unknown: search; there are old_text, count)"],
    [{ board: "w" }, "workdir is required (unknown: board; there are workdir, limit, kind, edits, tail, deep)"],
    [{ a: 1, b: 2, c: 3, d: 4, limit: 5 }, "workdir is required (unknown: a, b, c and 1 more; there are workdir,"],
    [{ ["x".repeat(1000)]: 1 }, `workdir is required (unknown: ${"x".repeat(40)}; there are`],
    [{ "\u001b[2J\n": 1 }, "workdir is required (unknown: \\u001b[2J\\n; there are"],
  ])("a name that is missing is set against those that the tool does not know: %j", (args, detail) => {
    expect(() => parse(args)).toThrow(`INVALID_ARGUMENTS: ${detail}`)
  })

  test.each<[object, string]>([
    [{ limit: 5 }, "workdir is required"],
    [{ workdir: 1, board: "w" }, "workdir must be a string"],
    [{ workdir: "w", board: "w", edits: [{}] }, "edits[0].old_text is required"],
  ])("any other refusal says no more than what it is: %j", (args, detail) => {
    expect(() => parse(args)).toThrow(new ToolError("INVALID_ARGUMENTS", { detail }))
  })

  test("refuses an object with a length of its own where a text is due", () => {
    expect(() => parse({ workdir: { length: { toString: true } } })).toThrow("INVALID_ARGUMENTS: an argument is of the wrong type")
  })

  test("the message holds nothing of the value that was refused", () => {
    expect(() => parse({ workdir: "w", kind: "secret-content" })).toThrow(expect.not.stringContaining("secret-content"))
  })

  test(`refuses more than ${MAX_ELEMENTS} array elements, however they are nested or quoted`, () => {
    const many = Array.from({ length: MAX_ELEMENTS + 1 }, () => 1)
    const shapes: object[] = [{ edits: many }, { unknown: many }, { unknown: { deep: [many] } }, { edits: JSON.stringify(many) }, { edits: Array.from({ length: 200 }, () => many.slice(0, 100)) }]
    for (const shape of shapes) expect(() => parse({ workdir: "w", ...shape })).toThrow(`more than ${MAX_ELEMENTS} array elements`)
  })

  test("counts without recursion: 100,000 levels are no stack overflow", () => {
    const levels = 100_000
    const deep: unknown = JSON.parse(`{"workdir": "w", "x": ${"[".repeat(levels)}${"]".repeat(levels)}}`)
    expect(() => parse(deep)).toThrow(`more than ${MAX_ELEMENTS} array elements`)
  })
})
