/** Who is calling: the check in front of every mount. It answers before the body is read. */
import { createMiddleware } from "hono/factory"
import type { Audit } from "../audit/audit.ts"
import type { Principal } from "../principal.ts"
import type { Authenticator } from "./auth/authenticator.ts"
import { type EdgeCode, refuse } from "./refusal.ts"

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

const REFUSALS: Readonly<Record<Problem, readonly [code: EdgeCode, detail?: string]>> = {
  missing: ["unauthorized", "a bearer token is needed in the Authorization header"],
  invalid: ["unauthorized", "the bearer token is not known, or no longer"],
  insufficient_scope: ["insufficient_scope"],
}

const GOOD_FOR_MS = 1000

export function createBearer(mount: string, { authenticator, audit, challenge }: BearerOptions) {
  const refusal = (problem: Problem): Response => {
    const [code, detail] = REFUSALS[problem]
    return refuse(code, detail, { "WWW-Authenticate": challenge(problem, mount) })
  }
  const check = (authorization: string | null, peer: Peer): Principal | Response => {
    const verdict = authenticator.verify(authorization, mount)
    if ("refused" in verdict) {
      if (verdict.refused === "invalid") audit.event("auth_failed", { mount, client: peer.clientAddress?.() ?? null }, "WARNING")
      return refusal(verdict.refused)
    }
    return verdict.principal.mounts?.has(mount) === false ? refusal("insufficient_scope") : verdict.principal
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
