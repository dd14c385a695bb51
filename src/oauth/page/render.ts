/** A page as a response that can't be framed, kept, scripted, or sent anywhere but where it says. */
import { hash } from "node:crypto"
import type { HtmlEscapedString } from "hono/utils/html"
import { STYLE } from "./style.ts"

const STYLE_SOURCE = `'sha256-${hash("sha256", STYLE, "base64")}'`

export interface PageOptions {
  readonly status?: number
  /** Where its form may end up: null = it has none. Browsers apply this to the redirect that answers a form, too. */
  readonly form?: readonly string[] | null
  readonly headers?: Readonly<Record<string, string>>
}

export async function renderPage(page: HtmlEscapedString | Promise<HtmlEscapedString>, { status = 200, form = null, headers = {} }: PageOptions = {}): Promise<Response> {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `form-action ${form === null ? "'none'" : ["'self'", ...form].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return new Response(`<!doctype html>${await page}`, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy.join("; "),
      "X-Frame-Options": "DENY",
      "Cache-Control": "no-store",
      // With no-referrer a browser would send `Origin: null` along with the form, which the guard rightly refuses.
      "Referrer-Policy": form === null ? "no-referrer" : "same-origin",
      ...headers,
    },
  })
}
