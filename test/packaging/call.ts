import type { Product } from "../helpers/product.ts"

/** The result of a ServerFS tool over REST, or what refused it. */
export async function call(product: Product, tool: string, args: object): Promise<unknown> {
  return (await product.fetch(`/mcp/${tool}`, { method: "POST", body: JSON.stringify(args) })).json()
}
