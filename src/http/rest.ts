/** Every tool as POST {mount}/{tool}, for clients that speak OpenAPI rather than MCP (contract §6). */
import { type Context, Hono, type MiddlewareHandler } from "hono"
import { ToolError } from "../errors.ts"
import type { Calls } from "../mcp/call.ts"
import { jsonResponse } from "../mcp/json-response.ts"
import { parseJson } from "../mcp/parse-json.ts"
import type { Service } from "../mcp/service.ts"
import type { Env } from "./bearer.ts"
import { openApi } from "./openapi.ts"
import { type Receiving, received } from "./received.ts"
import { methodNotAllowed, onlyRead, refuse, refuseAsTool } from "./refusal.ts"

export interface RestOptions extends Receiving {
  readonly bearer: MiddlewareHandler<Env>
  readonly version: string
  readonly publicUrl: string | null
}

export function createRest(service: Service, calls: Calls, options: RestOptions): Hono<Env> {
  const { bearer } = options
  const rest = new Hono<Env>({ strict: false })
  const documents = { all: openApi(service, service.tools, options), reading: openApi(service, reading(service), options) }
  rest.get("/openapi.json", bearer, (context) => context.json(service.readOnlyFor(context.get("principal")) ? documents.reading : documents.all))
  rest.all("/openapi.json", bearer, onlyRead)

  for (const tool of service.tools) {
    rest.post(`/${tool.name}`, bearer, (context: Context<Env>) => received(context, options, async (text, caller) => {
      const outcome = await calls.tool(service, tool, text === "" ? {} : parseJson(text), caller)
      return outcome instanceof ToolError ? refuseAsTool(outcome, service.statusOf(outcome.code)) : jsonResponse(outcome.json.pieces, caller.unsent)
    }))
    rest.all(`/${tool.name}`, bearer, () => methodNotAllowed("POST"))
  }
  rest.post("/:name", () => refuse("not_found", `there is no such tool; GET ${service.mount}/openapi.json lists those that there are`))
  return rest
}

function reading(service: Service) {
  return service.tools.filter((tool) => tool.access === "read")
}
