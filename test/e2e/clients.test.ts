/** The real clients of both SDK lines against the running product. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { CLIENTS } from "../helpers/clients.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { TREE, useFiles, useServerfs } from "./every-tool.ts"
import { holdSearch, reaped } from "./held-search.ts"

let home: Scratch
let product: Product

beforeAll(async () => {
  home = scratch()
  for (const root of ["main", "files"]) for (const [path, text] of Object.entries(TREE)) home.plant({ [`${root}/${path}`]: text })
  home.plant(Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`wide/${i % 100}/${i}.txt`, "hello\n".repeat(50)])))
  product = await startProduct({ workdirs: { main: [home.at("main"), "rw"], wide: home.at("wide") }, files: home.at("files") })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

describe.each(CLIENTS)("%s", (_name, connect, revision) => {
  test("does all that ServerFS can", async () => {
    await using client = await connect(`${product.url}/mcp`, product.token)
    expect([client.revision, client.serverName]).toEqual([revision, "serverfs"])
    expect(await client.tools()).toHaveLength(11)
    await useServerfs(client, "main")
  })

  test("does all that Files can", async () => {
    await using client = await connect(`${product.url}/files-mcp`, product.token)
    expect([client.revision, client.serverName]).toEqual([revision, "serverfs-files"])
    expect(await client.tools()).toHaveLength(9)
    await useFiles(client)
  })

  test("is told how far a walk has come", async () => {
    await using client = await connect(`${product.url}/mcp`, product.token)
    const seen: number[] = []
    const answer = await client.call("find_files", { workdir: "wide", pattern: "none" }, (done) => seen.push(done))
    expect(answer.structuredContent).toEqual({ matches: [], returned: 0, truncated: false })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test.each([["plain", undefined], ["streamed", () => {}]] as const)("ends a %s search by going away: ripgrep is killed and reaped", async (_kind, onprogress) => {
    const client = await connect(`${product.url}/mcp`, product.token)
    const { answer, child } = await holdSearch(product, () => client.call("search_text", { workdir: "wide", query: "not there" }, onprogress))
    await client[Symbol.asyncDispose]()
    await expect(answer).rejects.toThrow()
    await reaped(product, child)
  })

  test.each([["plain", undefined], ["streamed", () => {}]] as const)("cancels a %s search by its signal", async (_kind, onprogress) => {
    await using client = await connect(`${product.url}/mcp`, product.token)
    const abort = new AbortController()
    const { answer, child } = await holdSearch(product, () => client.call("search_text", { workdir: "wide", query: "not there" }, onprogress, abort.signal))
    abort.abort()
    await expect(answer).rejects.toThrow()
    await reaped(product, child)
  })
})
