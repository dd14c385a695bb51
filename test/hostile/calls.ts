/** Calls over REST, timed, for tests of how the product bears up. */
import { type At, REST } from "../e2e/channels.ts"
import type { Product } from "../helpers/product.ts"

export interface Timed {
  /** The code of the refusal; null for a success. */
  readonly code: string | null
  readonly value: Record<string, any>
  /** The body as it came. */
  readonly text: string
  readonly ms: number
}

export type Ask = (tool: string, args?: object) => Promise<Timed>

/** @param mount of the service */
export function asking({ url, token }: Pick<Product, "url" | "token">, mount = "/mcp"): Ask {
  const at: At = { url, mount, token }
  return async (tool, args = {}) => {
    const start = performance.now()
    const { code, value, text } = await REST.call(at, tool, args)
    return { code, value: value ?? {}, text, ms: performance.now() - start }
  }
}
