/** POST on a mount: the body is read and parsed once, then JSON-RPC takes over. */
import type { Handler } from "hono"
import type { Endpoint } from "../mcp/methods.ts"
import { NO_JSON, parseJson } from "../mcp/parse-json.ts"
import { PARSE_ERROR, rpcRefusal } from "../mcp/result.ts"
import type { Env } from "./bearer.ts"
import { type Receiving, received } from "./received.ts"

export function createRpc(serve: Endpoint, receiving: Receiving): Handler<Env> {
  return (context) => received(context, receiving, async (text, caller) => {
    const message = parseJson(text)
    if (message === undefined) return rpcRefusal(400, PARSE_ERROR, `Parse error: ${NO_JSON}`)
    return await serve(context.req.raw, message, caller)
  })
}
