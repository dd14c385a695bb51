/** A recursive operation runs on past every deadline for as long as it reports progress; the operator's revocation ends it all the same. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { closeSync, mkdirSync, openSync, readdirSync } from "node:fs"
import { openState } from "../../src/state/state.ts"
import { eventsOf } from "../helpers/event-stream.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { legacy, modern } from "./channels.ts"

const DIRECTORIES = 150
const FILES_EACH = 1000

let home: Scratch
let product: Product

beforeAll(async () => {
  home = scratch({ files: null })
  for (const tree of ["legacy", "modern"]) {
    for (let d = 0; d < DIRECTORIES; d++) {
      mkdirSync(home.at("files", tree, String(d)), { recursive: true })
      for (let f = 0; f < FILES_EACH; f++) closeSync(openSync(home.at("files", tree, String(d), String(f)), "w"))
    }
  }
  product = await startProduct({ files: home.at("files") })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

const left = (tree: string): number => readdirSync(home.at("files", tree)).reduce((sum, name) => sum + readdirSync(home.at("files", tree, name)).length, 0)

describe("a recursive delete", () => {
  test.each([["legacy", legacy], ["modern", modern]])("ends soon after its token is revoked, %s era: ACCESS_DENIED, and what was done stays done", async (era, ask) => {
    using state = openState(product.stateDir)
    const token = state.tokens.create(era, { mounts: null, workdirs: null, readOnly: false, expires: null }, Date.now())
    const call = { name: "delete_file", arguments: { path: era, recursive: true }, _meta: { progressToken: "p" } }
    const response = await ask({ url: product.url, mount: "/files-mcp", token }, "tools/call", call)
    let text = ""
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      if (text === "") state.tokens.revoke(era)
      text += decoder.decode(chunk, { stream: true })
    }
    expect(eventsOf(text).at(-1)).toMatchObject({ id: 1, result: { isError: true, content: [{ text: expect.stringMatching(/^ACCESS_DENIED: the token is no longer good; \d+ removed by then$/) }] } })
    expect(left(era)).toBeGreaterThan(0)
    expect(left(era)).toBeLessThan(DIRECTORIES * FILES_EACH)
    const line = await product.logged("tool_call", { principal: era })
    expect(line).toMatchObject({ tool: "delete_file", success: false, error_code: "ACCESS_DENIED" })
  })
})
