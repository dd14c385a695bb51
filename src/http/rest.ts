/** Every tool as POST {mount}/{tool}, for clients that speak OpenAPI rather than MCP (contract §6). */
import { type Context, Hono, type MiddlewareHandler } from "hono"
import { ToolError } from "../errors.ts"
import { jsonResponse } from "../mcp/json-response.ts"
import { parseJson } from "../mcp/parse-json.ts"
import type { Calls } from "../mcp/call.ts"
import type { Service } from "../mcp/service.ts"
import type { Tool } from "../mcp/tool.ts"
import type { Env } from "./bearer.ts"
import { readBody } from "./body.ts"
import type { BodyBudget } from "./body-budget.ts"
import { methodNotAllowed } from "./json.ts"
import { openApi } from "./openapi.ts"

export interface RestOptions {
  readonly bearer: MiddlewareHandler<Env>
  readonly version: string
  readonly publicUrl: string | null
  /** How long a body may take to arrive. */
  readonly timeoutMs: number
  readonly budget: BodyBudget
}

export function createRest(service: Service, calls: Calls, options: RestOptions): Hono<Env> {
  const { bearer } = options
  const rest = new Hono<Env>({ strict: false })
  const document = (tools: readonly Tool[]) => JSON.stringify(openApi(service, tools, options))
  const documents = { all: document(service.tools), reading: document(reading(service)) }
  rest.get("/openapi.json", bearer, (context) => jsonResponse(service.readOnlyFor(context.get("principal")) ? documents.reading : documents.all))
  rest.all("/openapi.json", bearer, () => methodNotAllowed("GET, HEAD"))

  for (const tool of service.tools) {
    rest.post(`/${tool.name}`, bearer, async (context: Context<Env>) => {
      const request = context.req.raw
      const principal = context.get("principal")
      using held = options.budget.open(principal.name)
      const body = await readBody(request, options.timeoutMs, held)
      if (body instanceof Response) return body
      const recheck = context.get("recheck")
      const refused = recheck()
      if (refused !== null) return refused
      const args = body.text === "" ? {} : parseJson(body.text)
      const caller = { principal, signal: request.signal, bytes: body.bytes, entitled: () => recheck() === null }
      const outcome = await calls.tool(service, tool, args, caller)
      return outcome instanceof ToolError ? refusal(service, outcome) : jsonResponse(outcome.text)
    })
    rest.all(`/${tool.name}`, bearer, () => methodNotAllowed("POST"))
  }
  return rest
}

function reading(service: Service) {
  return service.tools.filter((tool) => tool.access === "read")
}

function refusal(service: Service, error: ToolError): Response {
  const { code, message, about } = error
  const body = { detail: message, code, ...(about.partial === undefined ? {} : { partial: about.partial }) }
  const status = service.statusOf(code)
  return Response.json(body, { status, headers: status === 429 ? { "Retry-After": String(about.retryAfter ?? 1) } : {} })
}
