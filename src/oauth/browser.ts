/** Which browser it is: a request made in one is answered in that one alone. */
import { randomBytes } from "node:crypto"

const NAME = "__Host-serverfs"
const KEPT_S = 600

/** From the cookie; null when it has none. */
export function browserOf(request: Request): string | null {
  return new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(request.headers.get("cookie") ?? "")?.[1] ?? null
}

export function newBrowser(): string {
  return randomBytes(32).toString("base64url")
}

/** Lax: it must come along when a client's site leads here, and must not when a foreign site posts a form. */
export function cookieOf(browser: string): string {
  return `${NAME}=${browser}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${KEPT_S}`
}

/** False for a form that a page of another origin sent, as far as the browser tells. */
export function isOwnForm({ headers }: Request, issuer: string): boolean {
  return (headers.get("origin") ?? issuer) === issuer && (headers.get("sec-fetch-site") ?? "same-origin") === "same-origin"
}
