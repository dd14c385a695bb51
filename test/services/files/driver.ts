/** The Files service of a running product, over REST. */
import type { Product } from "../../helpers/product.ts"

export interface RestAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, any>>
}

/** POST {mount}/{tool}. */
export async function rest(product: Product, mount: string, tool: string, args: object, init: RequestInit = {}): Promise<RestAnswer> {
  const answer = await product.fetch(`${mount}/${tool}`, { method: "POST", body: JSON.stringify(args), ...init })
  return { status: answer.status, body: (await answer.json()) as RestAnswer["body"] }
}

export const files = (product: Product, tool: string, args: object, init?: RequestInit): Promise<RestAnswer> => rest(product, "/files-mcp", tool, args, init)
