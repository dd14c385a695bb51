/** What each client's model API takes as a tool, as far as it is known to refuse the rest. */

export interface PublishedTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: Schema
  readonly outputSchema?: Schema
  readonly annotations?: Readonly<Record<string, unknown>>
}

export type Schema = Readonly<Record<string, unknown>>

interface Client {
  readonly name: string
  /** Faults of one tool, in words. */
  readonly faults: (tool: PublishedTool) => readonly string[]
}

/** Longest name that a user is likely to give the server in a client's configuration. */
const SERVER_NAME = "serverfs-files"

const COMBINATORS = ["oneOf", "anyOf", "allOf", "not", "enum"]

/** Of OpenAPI 3.0; every other keyword is an error. https://googleapis.github.io/js-genai/interfaces/types.Schema.html */
const GEMINI_KEYWORDS = new Set([
  "type", "title", "description", "default", "example", "format", "nullable", "enum", "anyOf", "pattern",
  "minimum", "maximum", "minLength", "maxLength", "items", "minItems", "maxItems",
  "properties", "required", "propertyOrdering", "minProperties", "maxProperties",
])

/** Every schema in a schema, with where it stands. A property's name is no keyword. */
export function* schemasIn(schema: Schema, at = "$"): Generator<readonly [string, Schema]> {
  yield [at, schema]
  for (const [key, value] of Object.entries(schema)) {
    if (typeof value !== "object" || value === null || key === "default" || key === "enum" || key === "required") continue
    if (key === "properties" || key === "$defs") {
      for (const [name, child] of Object.entries(value)) yield* schemasIn(child as Schema, `${at}.${name}`)
    } else if (Array.isArray(value)) {
      for (const child of value) if (typeof child === "object" && child !== null) yield* schemasIn(child as Schema, `${at}.${key}`)
    } else {
      yield* schemasIn(value as Schema, `${at}.${key}`)
    }
  }
}

const when = (wrong: boolean, fault: string): readonly string[] => (wrong ? [fault] : [])

function everywhere(tool: PublishedTool, faults: (schema: Schema) => readonly string[]): readonly string[] {
  return [...schemasIn(tool.inputSchema)].flatMap(([at, schema]) => faults(schema).map((fault) => `${at}: ${fault}`))
}

const objectRoot = ({ inputSchema }: PublishedTool): readonly string[] => [
  ...when(inputSchema["type"] !== "object", "the root is no object"),
  ...COMBINATORS.filter((key) => key in inputSchema).map((key) => `${key} at the root`),
]

const noReferences = (tool: PublishedTool): readonly string[] =>
  everywhere(tool, (schema) => ["$ref", "$defs", "$schema", "$id"].filter((key) => key in schema).map((key) => `${key} is a reference`))

const arraysHaveItems = (tool: PublishedTool): readonly string[] =>
  everywhere(tool, (schema) => when(schema["type"] === "array" && !("items" in schema), "an array without items"))

const singleTypes = (tool: PublishedTool): readonly string[] =>
  everywhere(tool, (schema) => when("anyOf" in schema ? "type" in schema : typeof schema["type"] !== "string", "no single type"))

export const CLIENTS: readonly Client[] = [
  {
    // Refused as a whole request: claude-code issues 40075, 27337; property names and $ref: the custom tool documentation.
    name: "Claude",
    faults: (tool) => [
      ...objectRoot(tool),
      ...noReferences(tool),
      ...when(`mcp__${SERVER_NAME}__${tool.name}`.length > 64 || !/^[a-zA-Z0-9_-]+$/.test(tool.name), "the name"),
      ...everywhere(tool, (schema) => Object.keys(Object(schema["properties"])).filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))),
    ],
  },
  {
    name: "ChatGPT and Codex",
    faults: (tool) => [
      ...objectRoot(tool),
      ...singleTypes(tool),
      ...arraysHaveItems(tool),
      ...when(!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name), "the name"),
      ...when(tool.description.length > 1024, "a description over 1,024 characters"),
      ...["readOnlyHint", "destructiveHint", "openWorldHint"].filter((hint) => typeof tool.annotations?.[hint] !== "boolean"),
    ],
  },
  {
    name: "Gemini",
    faults: (tool) => [
      ...objectRoot(tool),
      ...singleTypes(tool),
      ...arraysHaveItems(tool),
      ...when(!/^[a-zA-Z_][a-zA-Z0-9_.-]{0,62}$/.test(tool.name), "the name"),
      ...everywhere(tool, (schema) => Object.keys(schema).filter((key) => !GEMINI_KEYWORDS.has(key))),
      ...everywhere(tool, (schema) => when("enum" in schema && schema["type"] !== "string", "an enum of something else than strings")),
    ],
  },
  {
    // Server and tool together: awslabs/mcp issue 1283, ComposioHQ/composio issue 2788.
    name: "Cursor",
    faults: (tool) => [...objectRoot(tool), ...when(`${SERVER_NAME}:${tool.name}`.length > 60, "over 60 characters with the server's name")],
  },
  {
    // With the prefix it gives them: vscode issue 243602.
    name: "VS Code",
    faults: (tool) => [...objectRoot(tool), ...arraysHaveItems(tool), ...when(`mcp_${SERVER_NAME}_${tool.name}`.length > 64 || !/^[a-z0-9_-]+$/i.test(tool.name), "the name")],
  },
]
