/** The OpenAPI 3.1 description of a service's REST channel, computed from its tools. */
import { ERRORS, type ErrorCode } from "../errors.ts"
import type { Service } from "../mcp/service.ts"
import type { Tool } from "../mcp/tool.ts"

/** What every tool may answer besides its own codes. */
const COMMON: readonly ErrorCode[] = ["INVALID_ARGUMENTS", "RESOURCE_EXHAUSTED", "WORKDIR_UNAVAILABLE", "INTERNAL_ERROR"]

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
  const codes = [...new Set([...COMMON, ...tool.errors])]
  const byStatus = Map.groupBy(codes, (code) => service.statusOf(code))
  const described = [...byStatus].map(([status, group]) => [status, { description: group.join(", "), content: json({ $ref: "#/components/schemas/Error" }) }])
  const unauthorized = { description: "No bearer token, or one that is not good", content: json({ $ref: "#/components/schemas/Error" }) }
  return Object.fromEntries([["401", unauthorized], ...described])
}

function json(schema: object): object {
  return { "application/json": { schema } }
}
