/** What an agent's context pays for knowing the tools: the bytes of the answer to tools/list, as either era sends it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { MODERN } from "../e2e/channels.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

const KIB = 1024
const LEGACY = "2025-11-25"
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}

let tree: Scratch
let product: Product

beforeAll(async () => {
  tree = scratch({ main: null, files: null })
  product = await startProduct({ workdirs: { main: [tree.at("main"), "rw"] }, files: tree.at("files") })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  tree[Symbol.dispose]()
})

async function listed(mount: string, revision: string): Promise<string> {
  const response = await product.fetch(mount, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": revision, ...(revision === MODERN ? { "mcp-method": "tools/list" } : {}) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: revision === MODERN ? { _meta: ENVELOPE } : {} }),
  })
  return response.text()
}

describe.each([LEGACY, MODERN])("tools/list, revision %s", (revision) => {
  test.each([["/mcp", 11, 16], ["/files-mcp", 9, 8]] as const)("of %s: %d tools within %d KB", async (mount, count, limit) => {
    const text = await listed(mount, revision)
    expect(JSON.parse(text).result.tools).toHaveLength(count)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit * KIB)
  })
})
