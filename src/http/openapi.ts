/** The OpenAPI 3.1 description of a service's REST channel, computed from its tools. */
import { ERRORS, type ErrorCode } from "../errors.ts"
import type { Service } from "../mcp/service.ts"
import type { Tool } from "../mcp/tool.ts"
import { EDGE_ERRORS } from "./refusal.ts"

/** What tools may answer besides their own codes: every one, those that work on something, those that change it. */
const ANY: readonly ErrorCode[] = ["INVALID_ARGUMENTS", "RESOURCE_EXHAUSTED", "WORKDIR_UNAVAILABLE", "INTERNAL_ERROR"]
const TARGETED: readonly ErrorCode[] = [
  "WORKDIR_NOT_FOUND",
  "PATH_OUTSIDE_WORKDIR",
  "RESERVED_PATH",
  "HIDDEN_PATH_NOT_ALLOWED",
  "DENIED_PATH",
  "ACCESS_DENIED",
  "NOT_A_DIRECTORY",
  "READ_IO_ERROR",
]
const CHANGING: readonly ErrorCode[] = ["WORKDIR_READ_ONLY", "ROOT_MUTATION_NOT_ALLOWED"]

/** What the HTTP edge may answer any call before a tool is asked. */
const EDGE = Object.entries(EDGE_ERRORS).filter(([, { ofCalls }]) => ofCalls).map(([code, { status }]) => [code, status] as const)

const ERROR = {
  type: "object",
  properties: {
    detail: { type: "string", description: "CODE: what was attempted, what is in the way, what would work" },
    code: { type: "string", enum: [...Object.keys(ERRORS), ...EDGE.map(([code]) => code)], description: "in lower case where no tool was asked" },
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
  const all = [...EDGE, ...codesOf(tool).map((code) => [code, service.statusOf(code)] as const)]
  const byStatus = Map.groupBy(all, ([, status]) => status)
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, refusal(rows.map(([code]) => code).join(", "))]))
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
