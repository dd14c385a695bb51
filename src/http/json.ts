/** Answers that are not a tool's: always JSON, never HTML. */

/** An error of the HTTP edge, in the shape that the REST channel uses too. */
export function refuse(status: number, code: string, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ detail, code }, { status, headers })
}

export function notFound(): Response {
  return refuse(404, "not_found", "there is nothing at this address")
}

/** @param allow the methods that work there, such as "POST" */
export function methodNotAllowed(allow: string): Response {
  return refuse(405, "method_not_allowed", `only ${allow} works here`, { Allow: allow })
}
