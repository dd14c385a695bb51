/** What every call begins with, whatever its channel: a body within bounds, and a credential that is still good when the body has come. */
import type { Context } from "hono"
import type { Caller } from "../mcp/call.ts"
import type { Env } from "./bearer.ts"
import { readBody } from "./body.ts"
import type { MemoryBudget } from "./memory-budget.ts"

export interface Receiving {
  /** How long a body may take to arrive. */
  readonly timeoutMs: number
  readonly budget: MemoryBudget
}

/** @param answer is given the body, null when it is not UTF-8; not asked when the request is refused */
export async function received(context: Context<Env>, { timeoutMs, budget }: Receiving, answer: (text: string | null, caller: Caller) => Promise<Response>): Promise<Response> {
  const request = context.req.raw
  const principal = context.get("principal")
  using held = budget.open(principal.name)
  const body = await readBody(request, timeoutMs, held)
  if (body instanceof Response) return body
  const recheck = context.get("recheck")
  const refused = recheck()
  if (refused !== null) return refused
  const { signal } = request
  return await answer(body.text, {
    principal,
    signal,
    size: { bytes: body.bytes },
    unsent: (bytes) => budget.unsent(principal.name, bytes, signal),
    entitled: () => recheck() === null,
  })
}
