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
  Variables: {
    principal: Principal
    /** The refusal once the credential is no longer good, null while it is; a finding is good for a second. For what takes its time: a revocation must end it. */
    recheck: () => Response | null
  }
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

const GOOD_FOR_MS = 1000

export function createBearer(mount: string, { authenticator, audit, challenge }: BearerOptions) {
  const refusal = (status: number, problem: Problem): Response => {
    const code = status === 403 ? "insufficient_scope" : "unauthorized"
    return refuse(status, code, DETAILS[problem], { "WWW-Authenticate": challenge(problem, mount) })
  }
  const check = (authorization: string | null, peer: Peer): Principal | Response => {
    const verdict = authenticator.verify(authorization, mount)
    if ("refused" in verdict) {
      if (verdict.refused === "invalid") audit.event("auth_failed", { mount, client: peer.clientAddress?.() ?? null }, "WARNING")
      return refusal(401, verdict.refused)
    }
    return verdict.principal.mounts?.has(mount) === false ? refusal(403, "insufficient_scope") : verdict.principal
  }
  return createMiddleware<Env>(async (context, next) => {
    const authorization = context.req.raw.headers.get("authorization")
    const found = check(authorization, context.env)
    if (found instanceof Response) return found
    let foundAt = performance.now()
    context.set("principal", found)
    context.set("recheck", () => {
      if (performance.now() - foundAt < GOOD_FOR_MS) return null
      const again = check(authorization, context.env)
      if (again instanceof Response) return again
      foundAt = performance.now()
      return null
    })
    return next()
  })
}
