/** What a client's description says of it, checked (draft-ietf-oauth-client-id-metadata-document §4). */
import { z } from "zod"
import { displayName } from "../display-name.ts"
import { isRegistered, type RedirectTarget } from "../redirect-uri.ts"
import { DocumentFault } from "./fetch-document.ts"

/** Sites that answer for one another, as their own documents say: a foreign site is not believed because a document names it. */
const SISTER_SITES: Readonly<Record<string, readonly string[]>> = {
  "https://claude.ai": ["https://claude.com"],
  "https://vscode.dev": ["https://insiders.vscode.dev"],
}

const DOCUMENT = z.object({
  client_id: z.string(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  client_secret: z.undefined().optional(),
})

/**
 * The client's name for itself.
 * @param text the document as it was fetched from `url`
 * @param target where the request wants its answer
 * @throws DocumentFault
 */
export function clientNameIn(text: string, url: URL, target: RedirectTarget): string {
  const parsed = DOCUMENT.safeParse(jsonIn(text, url))
  if (!parsed.success) throw new DocumentFault(`what ${url.hostname} says of the client is not a client's description`)
  const document = parsed.data
  if (document.client_id !== url.href) throw new DocumentFault(`what ${url.hostname} describes is another client`)
  // We know public clients with PKCE; a client that can do both names them in the second list.
  const methods = document.token_endpoint_auth_methods_supported ?? [document.token_endpoint_auth_method ?? "none"]
  if (!methods.includes("none")) throw new DocumentFault("the client insists on a way to authenticate that this gateway does not have")
  if (!isRegistered(target.uri, document.redirect_uris)) throw new DocumentFault("the client's description does not name the address that the answer would go to")
  if (!belongs(target, url)) throw new DocumentFault(`the answer would go to ${target.place}, which is neither ${url.hostname} nor this computer`)
  return displayName(document.client_name)
}

function belongs(target: RedirectTarget, url: URL): boolean {
  if (target.kind === "loopback") return true
  const { origin } = new URL(target.uri)
  return target.kind === "web" && (origin === url.origin || (SISTER_SITES[url.origin] ?? []).includes(origin))
}

function jsonIn(text: string, url: URL): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DocumentFault(`${url.hostname} sent something else than JSON`)
  }
}
