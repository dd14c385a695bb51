/** SIGTERM: what is in flight is answered and recorded, then the process ends, and leaves port and state to the next. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { eventsOf } from "../helpers/event-stream.ts"
import { type Product, type ProductOptions, startProduct, until } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type At, CHANNELS, legacy, modern, REST } from "./channels.ts"
import { holdSearch } from "./held-search.ts"

let home: Scratch

beforeAll(() => {
  home = scratch({ "main/a.txt": "hello\n" })
  home.plant(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`wide/${i % 50}/${i}.txt`, "hello\n".repeat(50)])))
})

afterAll(() => home[Symbol.dispose]())

const start = (more: Pick<ProductOptions, "stateDir" | "env" | "command"> = {}) => startProduct({ workdirs: { main: [home.at("main"), "rw"], wide: home.at("wide") }, ...more })
const at = ({ url, token }: Product): At => ({ url, mount: "/mcp", token })
const GATEWAY = [process.execPath, "--no-env-file", join(import.meta.dir, "../../src/main.ts")]
const SEARCH = { workdir: "wide", query: "not there" }

/** Resolves once nothing listens there any more. */
async function closed({ port }: Product): Promise<void> {
  await until(5000, async () => {
    const { promise, resolve } = Promise.withResolvers<true | undefined>()
    const socket: Socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.on("error", () => resolve(true))
    return promise
  })
}

/** The log without the lines that say nothing of calls or the end. */
const outline = (product: Product): string[] => product.log.map(({ event, tool, success }) => (event === "tool_call" ? `${tool} ${success}` : String(event)))

describe("SIGTERM", () => {
  test.each(CHANNELS)("lets a call in flight finish, over $name, takes no other, and frees the port", async ({ call }) => {
    await using product = await start()
    const { answer, goOn } = await holdSearch(product, () => call(at(product), "search_text", SEARCH))
    product.kill("SIGTERM")
    await closed(product)
    goOn()
    expect((await answer).value).toEqual({ matches: [], returned: 0, truncated: false, skipped: { unreadable: 0 } })
    expect(await product.exited).toBe(0)
    expect(outline(product)).toEqual(["startup", "search_text true", "shutdown"])
  })

  test.each([["legacy", legacy], ["modern", modern]])("lets a call in flight finish that may be answered as a stream, %s era", async (_era, ask) => {
    await using product = await start()
    const call = { name: "search_text", arguments: SEARCH, _meta: { progressToken: 1 } }
    const { answer, goOn } = await holdSearch(product, async () => (await ask(at(product), "tools/call", call)).text())
    product.kill("SIGTERM")
    await closed(product)
    goOn()
    // Without a report in time it is plain JSON in the modern era.
    const text = await answer
    expect(text.startsWith("{") ? JSON.parse(text) : eventsOf(text).at(-1)).toMatchObject({ id: 1, result: { structuredContent: { returned: 0 } } })
    expect(await product.exited).toBe(0)
    expect(outline(product)).toEqual(["startup", "search_text true", "shutdown"])
  })

  test("sent again and again changes nothing, nor does SIGINT", async () => {
    await using product = await start()
    const { answer, goOn } = await holdSearch(product, () => REST.call(at(product), "search_text", SEARCH))
    for (const signal of ["SIGTERM", "SIGTERM", "SIGINT", "SIGTERM"] as const) {
      product.kill(signal)
      await Bun.sleep(20)
    }
    goOn()
    expect((await answer).code).toBeNull()
    expect(await product.exited).toBe(0)
    expect(outline(product)).toEqual(["startup", "search_text true", "shutdown"])
  })

  test("does not wait for connections on which nothing is going on", async () => {
    await using product = await start()
    const idle = connect(product.port, "127.0.0.1")
    idle.on("error", () => {})
    await until(5000, () => (idle.readyState === "open" ? true : undefined))
    await REST.call(at(product), "list_workdirs", {})
    const since = performance.now()
    expect(await product.stop()).toBe(0)
    expect(performance.now() - since).toBeLessThan(3000)
    idle.destroy()
  })

  test("leaves no change half made: what was answered is on the disk and in the log, once", async () => {
    await using product = await start()
    const names = Array.from({ length: 40 }, (_, i) => `made-${i}.txt`)
    const calls = names.map((path) => REST.call(at(product), "create_text_file", { workdir: "main", path, content: "x" }).catch(() => null))
    await product.logged("tool_call", { tool: "create_text_file" })
    product.kill("SIGTERM")
    const answers = await Promise.all(calls)
    const answered = names.filter((_, i) => answers[i]?.value?.["created"] === true)
    expect(await product.exited).toBe(0)
    expect(answered.length).toBeGreaterThan(0)
    const onDisk = readdirSync(home.at("main")).filter((name) => name !== "a.txt").sort()
    const logged = product.log.filter(({ event, success }) => event === "tool_call" && success === true).map(({ path }) => path).sort()
    expect(onDisk).toEqual(logged as string[])
    expect(onDisk).toEqual(expect.arrayContaining(answered))
  })

  test("leaves the state to the next gateway at once", async () => {
    using state = scratch()
    const first = await start({ stateDir: state.at("state") })
    await first.stop()
    await using second = await start({ stateDir: state.at("state"), env: { SERVERFS_PORT: String(first.port) } })
    expect(second.port).toBe(first.port)
    await first[Symbol.asyncDispose]()
  })
})

test("SIGINT ends it like SIGTERM", async () => {
  await using product = await start()
  product.kill("SIGINT")
  expect(await product.exited).toBe(0)
  expect(product.log.at(-1)).toMatchObject({ event: "shutdown", signal: "SIGINT" })
})

// In an image that confinement has started anew, and in the first one.
describe.each(["auto", "off"])("SIGHUP, SERVERFS_CONFINE=%s", (SERVERFS_CONFINE) => {
  test("ends it like SIGTERM", async () => {
    await using product = await start({ command: ["env", "--default-signal=HUP", ...GATEWAY], env: { SERVERFS_CONFINE } })
    product.kill("SIGHUP")
    expect(await product.exited).toBe(0)
    expect(product.log.at(-1)).toMatchObject({ event: "shutdown", signal: "SIGHUP" })
  })

  test("does nothing under nohup", async () => {
    await using product = await start({ command: ["nohup", ...GATEWAY], env: { SERVERFS_CONFINE } })
    product.kill("SIGHUP")
    await Bun.sleep(300)
    expect((await product.fetch("/healthz")).status).toBe(200)
    expect(await product.stop()).toBe(0)
    expect(product.log.at(-1)).toMatchObject({ event: "shutdown", signal: "SIGTERM" })
  })
})
