/** Who is calling: the check in front of every mount. It answers before the body is read. */
import { createMiddleware } from "hono/factory"
import type { Audit } from "../audit/audit.ts"
import type { Principal } from "../principal.ts"
import type { Authenticator } from "./auth/authenticator.ts"
import { refuse } from "./json.ts"

export type Problem = "missing" | "invalid" | "insufficient_scope"

/** The value of WWW-Authenticate for a refusal at a mount. */
export type Challenge = (problem: Problem, mount: string) => string

/** What the listener knows of a request: whom it came from. Absent when the app is driven without one. */
export interface Peer {
  readonly clientAddress?: () => string | null
}

export interface Env {
  Bindings: Peer
  Variables: { principal: Principal }
}

export interface BearerOptions {
  readonly authenticator: Authenticator
  readonly audit: Audit
  readonly challenge: Challenge
}

const DETAILS: Readonly<Record<Problem, string>> = {
  missing: "a bearer token is needed in the Authorization header",
  invalid: "the bearer token is not known, or no longer",
  insufficient_scope: "this token does not open this service",
}

export function createBearer(mount: string, { authenticator, audit, challenge }: BearerOptions) {
  const refusal = (status: number, problem: Problem): Response => {
    const code = status === 403 ? "insufficient_scope" : "unauthorized"
    return refuse(status, code, DETAILS[problem], { "WWW-Authenticate": challenge(problem, mount) })
  }
  return createMiddleware<Env>(async (context, next) => {
    const verdict = authenticator.verify(context.req.raw.headers.get("authorization"), mount)
    if ("refused" in verdict) {
      const client = context.env.clientAddress?.() ?? null
      if (verdict.refused === "invalid") audit.event("auth_failed", { mount, client }, "WARNING")
      return refusal(401, verdict.refused)
    }
    if (verdict.principal.mounts?.has(mount) === false) return refusal(403, "insufficient_scope")
    context.set("principal", verdict.principal)
    return next()
  })
}
