/** POST on a mount: the body is read and parsed once, then JSON-RPC takes over. */
import type { Handler } from "hono"
import type { Endpoint } from "../mcp/methods.ts"
import { parseJson } from "../mcp/parse-json.ts"
import { PARSE_ERROR, rpcRefusal } from "../mcp/result.ts"
import type { Env } from "./bearer.ts"
import { readBody } from "./body.ts"
import type { BodyBudget } from "./body-budget.ts"

/** @param timeoutMs how long the body may take to arrive */
export function createRpc(serve: Endpoint, timeoutMs: number, budget: BodyBudget): Handler<Env> {
  return async (context) => {
    const request = context.req.raw
    const principal = context.get("principal")
    using held = budget.open(principal.name)
    const body = await readBody(request, timeoutMs, held)
    if (body instanceof Response) return body
    const recheck = context.get("recheck")
    const refused = recheck()
    if (refused !== null) return refused
    const message = parseJson(body.text)
    if (message === undefined) return rpcRefusal(400, PARSE_ERROR, "Parse error: the body is not JSON, or nested too deeply")
    return await serve(request, message, { principal, signal: request.signal, bytes: body.bytes, entitled: () => recheck() === null })
  }
}
