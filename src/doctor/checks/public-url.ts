import { systemErrorCode } from "../../system-error.ts"
import { about, type Finding } from "../finding.ts"

const DEADLINE_MS = 10_000
const { ok, warning, error } = about("public URL")
/** How TLS calls a certificate that it takes from nobody: expired, of another name, of an unknown authority. */
const UNTRUSTED = /CERT|LEAF_SIGNATURE/
/** Headers of an answer by which proxies and tunnels show themselves. */
const PASSED_BY = ["cf-ray", "cf-cache-status", "via", "x-cache", "x-served-by", "x-ngrok-trace-id"]

/**
 * What a remote client meets at the public URL: our own health in JSON, a challenge in place of a session without a token,
 * and nothing on the way that keeps or redirects answers. Follows no redirect, sends no credential.
 */
export async function checkPublicUrl(url: string): Promise<Finding[]> {
  try {
    const health = await request(`${url}/healthz`)
    const trouble = misdirected(health, url) ?? await notOurs(health)
    if (trouble !== null) return [trouble]
    return [ok(`${url} reaches the gateway`), await challenge(`${url}/mcp`), ...way(health.headers)]
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    if (UNTRUSTED.test(systemErrorCode(failure))) return [error(`the certificate of ${url} is not trusted (${reason})`, "give the proxy or tunnel one of a public authority that is in date and names this host")]
    return [error(`${url} cannot be reached (${reason})`, "start the gateway and the tunnel, and see that the name leads to it")]
  }
}

function request(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(DEADLINE_MS) })
}

function misdirected(response: Response, url: string): Finding | null {
  if (response.status === 421) {
    return error("the tunnel passes on a Host that the gateway does not go by", `let it send ${new URL(url).host} as Host, or name what it sends in SERVERFS_ALLOWED_HOSTS`)
  }
  if (response.status < 300 || response.status >= 400) return null
  const to = new URL(response.headers.get("location") ?? "", url).host
  return error(`it redirects to ${to}`, "agents follow no sign-in page: take Access or any other login off this host name, except on /authorize")
}

async function notOurs(response: Response): Promise<Finding | null> {
  const fix = "see what answers there: the tunnel must lead to this gateway's port"
  const type = response.headers.get("content-type") ?? "nothing"
  if (!type.startsWith("application/json")) return error(`something else answers: status ${response.status} with ${type} in place of JSON`, fix)
  const body: { status?: unknown } = JSON.parse(await response.text())
  return response.status === 200 && body.status === "ok" ? null : error(`something else answers: status ${response.status}`, fix)
}

/** A client without a token has to learn how to get one. */
async function challenge(url: string): Promise<Finding> {
  const response = await request(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })
  const scheme = response.headers.get("www-authenticate")
  if (response.status === 401 && scheme?.startsWith("Bearer")) return ok("a call without a token gets its challenge")
  if (response.status === 401) return error("the challenge (WWW-Authenticate) is lost on the way", "let the proxy pass on that header")
  return error(`a call without a token gets status ${response.status} in place of 401`, "see that no proxy answers or adds a credential for the client")
}

function way(headers: Headers): Finding[] {
  const seen = PASSED_BY.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`)
  const kept = headers.get("cf-cache-status") === "HIT" || headers.get("x-cache")?.startsWith("HIT") || headers.has("age")
  return [
    ...(seen.length === 0 ? [] : [ok(`on the way: ${seen.join(", ")}`)]),
    ...(kept ? [warning("answers come out of a cache", "switch caching off for this host name")] : []),
    ...(headers.get("cache-control")?.includes("no-store") ? [] : [warning("Cache-Control: no-store is lost on the way", "let the proxy pass on that header")]),
  ]
}
