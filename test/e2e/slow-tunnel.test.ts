/** At the real pace of keep-alive comments (15 s): a search that says nothing for 40 s, behind an edge that gives up after 20. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { CLIENTS } from "../helpers/clients.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { holdSearch } from "./held-search.ts"
import { openTunnel } from "./tunnel.ts"

const PUBLIC = "gate.example.net"
const EDGE_MS = 20_000
const HELD_MS = 40_000

let tree: Scratch
let product: Product

beforeAll(async () => {
  tree = scratch(Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`${i % 100}/${i}.txt`, "hello\n".repeat(50)])))
  product = await startProduct({ workdirs: { wide: tree.path }, env: { SERVERFS_PUBLIC_URL: `https://${PUBLIC}`, SERVERFS_SEARCH_TIMEOUT_SECONDS: "50" } })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  tree[Symbol.dispose]()
})

describe("a search of 40 s through an edge that gives up after 20 s of silence", () => {
  test.each(CLIENTS)("comes back whole to %s, which asked for progress", async (_client, connect) => {
    await using tunnel = await openTunnel({ origin: product.url, publicHost: PUBLIC, silenceMs: EDGE_MS })
    await using client = await connect(`${tunnel.url}/mcp`, product.token)
    const { answer, goOn } = await holdSearch(product, () => client.call("search_text", { workdir: "wide", query: "not there" }, () => {}))
    await Bun.sleep(HELD_MS)
    goOn()
    expect((await answer).structuredContent).toEqual({ matches: [], returned: 0, truncated: false, skipped: { unreadable: 0 } })
    expect(tunnel.cuts).toBe(0)
  })

  test("is cut off where no progress was asked for: hence the deadline of 55 s, well below the edge's 100", async () => {
    await using tunnel = await openTunnel({ origin: product.url, publicHost: PUBLIC, silenceMs: EDGE_MS })
    const { answer, goOn } = await holdSearch(product, () => fetch(`${tunnel.url}/mcp/search_text`, {
      method: "POST",
      headers: { authorization: `Bearer ${product.token}` },
      body: JSON.stringify({ workdir: "wide", query: "not there" }),
    }))
    expect((await answer).status).toBe(524)
    expect(tunnel.cuts).toBe(1)
    goOn()
  })
})
