/** Parameters of OAuth requests: read within bounds, and none given twice (RFC 6749 §3.1, §3.2). */

export type Parameters = ReadonlyMap<string, string>

/** Why a request's parameters could not be had, as `error_description` says it. */
export class ParameterFault extends Error {
  override readonly name = "ParameterFault"
}

/** Metadata documents and states are small; nothing that belongs here is larger. */
const MAX_BODY_BYTES = 32 * 1024
const MAX_QUERY_CHARS = 8 * 1024
const BODY_MS = 10_000

/** @param repeatable names that may come more than once; they are not in the result, take them from `all` */
function once(all: URLSearchParams, repeatable: readonly string[]): Parameters {
  const result = new Map<string, string>()
  for (const [name, value] of all) {
    if (repeatable.includes(name)) continue
    if (result.has(name)) throw new ParameterFault("a parameter is given more than once")
    // A parameter without a value is treated as if it were not there (RFC 6749 §3.1).
    if (value !== "") result.set(name, value)
  }
  return result
}

/** @throws ParameterFault */
export function queryParameters(url: string): Parameters {
  const { search, searchParams } = new URL(url)
  if (search.length > MAX_QUERY_CHARS) throw new ParameterFault("the request is too long")
  return once(searchParams, ["prompt", "scope"])
}

/** @throws ParameterFault */
export async function formParameters(request: Request): Promise<Parameters> {
  return once(await formOf(request), [])
}

/** Of the consent page, where several boxes share a name. @throws ParameterFault */
export async function formOf(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new ParameterFault("the body must be application/x-www-form-urlencoded")
  }
  return new URLSearchParams(await bodyText(request))
}

/** @throws ParameterFault */
export async function bodyText(request: Request): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ParameterFault("the body took too long to arrive")), BODY_MS)
  try {
    return await Promise.race([bounded(request), late])
  } finally {
    clearTimeout(timer)
  }
}

async function bounded(request: Request): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new ParameterFault(`the body is larger than ${MAX_BODY_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
