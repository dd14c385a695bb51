/** The OpenAPI 3.1 description of a service's REST channel, computed from its tools. */
import { ERRORS, type ErrorCode } from "../errors.ts"
import type { Service } from "../mcp/service.ts"
import type { Tool } from "../mcp/tool.ts"

/** What tools may answer besides their own codes: every one, those that work on something, those that change it. */
const ANY: readonly ErrorCode[] = ["INVALID_ARGUMENTS", "RESOURCE_EXHAUSTED", "WORKDIR_UNAVAILABLE", "INTERNAL_ERROR"]
const TARGETED: readonly ErrorCode[] = [
  "WORKDIR_NOT_FOUND",
  "PATH_OUTSIDE_WORKDIR",
  "RESERVED_PATH",
  "HIDDEN_PATH_NOT_ALLOWED",
  "DENIED_PATH",
  "ACCESS_DENIED",
  "READ_IO_ERROR",
]
const CHANGING: readonly ErrorCode[] = ["WORKDIR_READ_ONLY", "ROOT_MUTATION_NOT_ALLOWED"]

const ERROR = {
  type: "object",
  properties: {
    detail: { type: "string", description: "CODE: what was attempted, what is in the way, what would work" },
    code: { type: "string", enum: Object.keys(ERRORS) },
    partial: { type: "object", additionalProperties: { type: "integer" }, description: "what was done before it stopped" },
  },
  required: ["detail", "code"],
}

/** @param tools the ones to describe: all of the service, or those that a read-only principal has */
export function openApi(service: Service, tools: readonly Tool[], { version, publicUrl }: { version: string; publicUrl: string | null }): object {
  return {
    openapi: "3.1.0",
    info: { title: service.title, version, description: service.instructions },
    servers: [{ url: publicUrl ?? "/" }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(tools.map((tool) => [`${service.mount}/${tool.name}`, { post: operation(service, tool) }])),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Error: ERROR },
    },
  }
}

function operation(service: Service, tool: Tool): object {
  return {
    operationId: tool.name,
    summary: tool.title,
    description: tool.description,
    requestBody: { required: true, content: json(tool.inputSchema) },
    responses: { "200": { description: "Done", content: json(tool.outputSchema) }, ...errors(service, tool) },
  }
}

function errors(service: Service, tool: Tool): object {
  const byStatus = Map.groupBy(codesOf(tool), (code) => service.statusOf(code))
  const described = [...byStatus].map(([status, codes]) => [status, refusal(codes.join(", "))])
  return {
    "401": refusal("No bearer token, or one that is not good"),
    "403": refusal("The token does not open this service"),
    ...Object.fromEntries(described),
  }
}

function codesOf(tool: Tool): readonly ErrorCode[] {
  const targeted = Object.keys(Object(tool.inputSchema["properties"])).length > 0
  return [...new Set([...ANY, ...(targeted ? TARGETED : []), ...(tool.access === "write" ? CHANGING : []), ...tool.errors])]
}

function refusal(description: string): object {
  return { description, content: json({ $ref: "#/components/schemas/Error" }) }
}

function json(schema: object): object {
  return { "application/json": { schema } }
}
