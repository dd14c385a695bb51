import { describe, expect, test } from "bun:test"
import { z } from "zod"
import { type About, ToolError } from "../../src/errors.ts"
import { publishedSchema } from "../../src/mcp/schema.ts"
import type { CallContext } from "../../src/mcp/service.ts"
import { type ToolSpec, defineTool } from "../../src/mcp/tool.ts"

const input = z.object({ limit: z.int().min(1).default(100), name: z.string().min(1).describe("A name") })
const output = z.object({ size: z.int().nullable() })

const spec: ToolSpec<{ factor: number }, typeof input, typeof output> = {
  name: "count_it",
  title: "Count it",
  description: "Counts.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  input,
  output,
  errors: ["PATH_NOT_FOUND"],
  counters: (out, { limit }) => ({ size: out.size, limit }),
  run: ({ factor }, { limit }) => ({ size: limit * factor }),
}

describe("publishedSchema()", () => {
  test("says what a caller needs and nothing that a client refuses", () => {
    expect(publishedSchema(input, "input")).toEqual({
      type: "object",
      properties: { limit: { type: "integer", minimum: 1, default: 100 }, name: { type: "string", minLength: 1, description: "A name" } },
      required: ["name"],
    })
  })

  test("an output's fields are all required, null where they have no value", () => {
    expect(publishedSchema(output, "output")).toEqual({
      type: "object",
      properties: { size: { anyOf: [{ type: "integer" }, { type: "null" }] } },
      required: ["size"],
    })
  })
})

function contextOf(): CallContext {
  return { principal: { name: "p", mounts: null, workdirs: null, readOnly: false }, signal: new AbortController().signal, deadline: 0, begin: () => () => {} }
}

describe("defineTool()", () => {
  test("derives the four hints from access and hints", () => {
    const hints = (access: "read" | "write", destructive: boolean) => defineTool({ ...spec, access, hints: { destructive, idempotent: false } }).annotations
    expect(hints("read", false)).toEqual({ title: "Count it", readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false })
    expect(hints("write", true)).toEqual({ title: "Count it", readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false })
  })

  test("parses, runs and counts with the types of its own schemas", async () => {
    const tool = defineTool(spec)
    const parsed = tool.parse({ name: "x", limit: "7" })
    const out = await tool.run({ factor: 2 }, parsed, contextOf())
    expect([parsed, out, tool.counters(out, parsed)]).toEqual([{ limit: 7, name: "x" }, { size: 14 }, { size: 14, limit: 7 }])
  })

  test("adds its own advice to a refusal, unless that has some already", async () => {
    const told = async (about: About) => {
      const run = () => {
        throw new ToolError("PATH_NOT_FOUND", about)
      }
      const context = contextOf()
      const tool = defineTool({ ...spec, advice: { PATH_NOT_FOUND: "count again" }, run })
      return tool.run({ factor: 2 }, tool.parse({ name: "x" }), context).catch((error: ToolError) => error.message)
    }
    expect(await told({ path: "a" })).toBe("PATH_NOT_FOUND: 'a': nothing exists at this path. To mend it: count again")
    expect(await told({ advice: "stop" })).toEndWith("To mend it: stop")
  })

  test("what run() throws at once is a rejection like any other", async () => {
    const tool = defineTool({
      ...spec,
      run: () => {
        throw new RangeError("no")
      },
    })
    await expect(tool.run(null, {}, contextOf())).rejects.toThrow(RangeError)
  })

  test("reports no progress unless it says so", () => {
    expect([defineTool(spec).reportsProgress, defineTool({ ...spec, reportsProgress: true }).reportsProgress]).toEqual([false, true])
  })

  test("can't be changed afterwards", () => {
    expect(Object.isFrozen(defineTool(spec))).toBe(true)
  })
})
