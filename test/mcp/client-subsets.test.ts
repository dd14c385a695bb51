import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { CLIENTS, type PublishedTool, type Schema, schemasIn } from "./client-subsets.ts"

/** A process of its own starts in half a second, unless the machine is busy. */
const START_MS = 30_000

const tool = (inputSchema: Schema, more: Partial<PublishedTool> = {}): PublishedTool => ({
  name: "do_it",
  description: "Does it.",
  inputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  ...more,
})

describe("the lint itself", () => {
  test("finds nothing wrong with a plain tool", () => {
    const plain = tool({ type: "object", properties: { a: { type: "array", items: { type: "string", minLength: 1 } }, type: { type: "string", enum: ["x"], default: "x" } }, required: ["a"] })
    expect(CLIENTS.flatMap(({ faults }) => faults(plain))).toEqual([])
  })

  test.each<[string, Schema, readonly string[]]>([
    ["an array at the root", { type: "array", items: { type: "string" } }, ["Claude", "ChatGPT and Codex", "Gemini", "Cursor", "VS Code"]],
    ["anyOf at the root", { type: "object", anyOf: [{ required: ["a"] }] }, ["Claude", "ChatGPT and Codex", "Gemini", "Cursor", "VS Code"]],
    ["$ref deep inside", { type: "object", properties: { a: { type: "array", items: { $ref: "#/$defs/x" } } } }, ["Claude", "ChatGPT and Codex", "Gemini"]],
    ["a list of types", { type: "object", properties: { a: { type: ["string", "null"] } } }, ["ChatGPT and Codex", "Gemini"]],
    ["const", { type: "object", properties: { a: { type: "string", const: "x" } } }, ["Gemini"]],
    ["exclusiveMinimum", { type: "object", properties: { a: { type: "integer", exclusiveMinimum: 0 } } }, ["Gemini"]],
    ["an array without items", { type: "object", properties: { a: { type: "array" } } }, ["ChatGPT and Codex", "Gemini", "VS Code"]],
    ["an odd property name", { type: "object", properties: { "a b": { type: "string" } } }, ["Claude"]],
  ])("finds %s", (_what, schema, refusing) => {
    expect(CLIENTS.filter(({ faults }) => faults(tool(schema)).length > 0).map(({ name }) => name)).toEqual([...refusing])
  })

  test("finds names, descriptions and hints that a client would refuse", () => {
    const plain = { type: "object" }
    const refusing = (more: Partial<PublishedTool>) => CLIENTS.filter(({ faults }) => faults(tool(plain, more)).length > 0).map(({ name }) => name)
    expect(refusing({ name: "x".repeat(50) })).toEqual(["Claude", "Cursor", "VS Code"])
    expect(refusing({ name: "do.it" })).toEqual(["Claude", "ChatGPT and Codex", "VS Code"])
    expect(refusing({ description: "x".repeat(1025) })).toEqual(["ChatGPT and Codex"])
    expect(refusing({ annotations: {} })).toEqual(["ChatGPT and Codex"])
  })
})

describe("the tools as they are published", () => {
  const tools: PublishedTool[] = []
  let root: Scratch
  let product: Product
  beforeAll(async () => {
    root = scratch({ work: null, files: null })
    product = await startProduct({ workdirs: { work: root.at("work") }, files: root.at("files") })
    for (const mount of ["/mcp", "/files-mcp"]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
      const answer = await product.fetch(mount, { method: "POST", headers: { "content-type": "application/json" }, body })
      tools.push(...((await answer.json()) as { result: { tools: PublishedTool[] } }).result.tools)
    }
  }, START_MS)
  afterAll(async () => {
    await product[Symbol.asyncDispose]()
    root[Symbol.dispose]()
  })

  test("are eleven and nine", () => {
    expect(tools).toHaveLength(20)
  })

  test.each(CLIENTS)("$name takes all of them", ({ faults }) => {
    expect(tools.flatMap((tool) => faults(tool).map((fault) => `${tool.name} ${fault}`))).toEqual([])
  })

  test("every argument is described or named by what it is, and every output is an object", () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      expect([name, inputSchema["type"], outputSchema?.["type"]]).toEqual([name, "object", "object"])
      for (const [at, schema] of schemasIn(inputSchema)) if (at !== "$") expect([name, at, typeof schema["type"]]).toEqual([name, at, "string"])
    }
  })
})
