import { z } from "zod"
import { ERRORS, ToolError } from "../../src/errors.ts"
import type { Service } from "../../src/mcp/service.ts"
import { defineTool, type Tool } from "../../src/mcp/tool.ts"

const READ = { destructive: false, idempotent: true }
const text = z.object({ text: z.string() })
const none = z.object({})

const simpleText = defineTool({
  name: "test_simple_text",
  title: "Simple text",
  description: "Returns a text.",
  access: "read",
  hints: READ,
  input: none,
  output: text,
  errors: [],
  counters: () => ({}),
  run: () => ({ text: "This is a simple text response for testing." }),
})

const errorHandling = defineTool({
  name: "test_error_handling",
  title: "Error",
  description: "Always refuses.",
  access: "read",
  hints: READ,
  input: none,
  output: text,
  errors: ["PATH_NOT_FOUND"],
  counters: () => ({}),
  run: () => {
    throw new ToolError("PATH_NOT_FOUND", { detail: "This tool intentionally returns an error for testing" })
  },
})

const withProgress = defineTool({
  name: "test_tool_with_progress",
  title: "Progress",
  description: "Reports progress three times.",
  access: "read",
  hints: READ,
  reportsProgress: true,
  input: none,
  output: text,
  errors: [],
  counters: () => ({}),
  run: async (_target, _input, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress?.(done, 100)
      await Bun.sleep(50)
    }
    return { text: "done" }
  },
})

/** Made by hand: the gateway's own schemas keep to less, and what it is given it must publish unchanged. */
const schemaTool: Tool = {
  ...simpleText,
  name: "json_schema_2020_12_tool",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
}

const texts: Readonly<Record<string, string>> = {
  "test://static-text": "This is the content of the static text resource.",
  "test://template/123/data": '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
}

/** The tools and resources that the official suite's scenarios ask for by name, as far as the gateway's kind of tool can be one. */
export const conformanceService: Service = {
  name: "conformance",
  title: "Conformance",
  mount: "/mcp",
  instructions: "Fixture of the official conformance suite.",
  tools: [simpleText, errorHandling, withProgress, schemaTool],
  resources: {
    uriTemplate: "test://template/{id}/data",
    name: "template",
    description: "A resource from a template.",
    mimeType: "text/plain",
    parse: (uri) => ({
      subject: {},
      read: async () => {
        const found = texts[uri]
        if (found === undefined) throw new ToolError("PATH_NOT_FOUND")
        return { text: found, counters: {} }
      },
    }),
  },
  statusOf: (code) => ERRORS[code].status,
  resolve: () => ({ access: "read-only", value: null }),
  subject: () => ({}),
  readOnlyFor: () => false,
  health: () => [],
}
