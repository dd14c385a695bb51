/** Who may do what: every principal × service × workdir × tool, resources too, over REST and both protocol eras, on the running product. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openState } from "../../src/state/state.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Answer, type At, CHANNELS, type Channel, REST, RESOURCE_READERS } from "./channels.ts"
import { accessOf, ALIASES, FILES, outcome, PRINCIPALS, type Rights, sees, SERVERFS, type ToolCase, WORKDIRS, writesSomewhere } from "./rights-cases.ts"

const NAMES = Object.keys(PRINCIPALS)
const TREE = { "a.txt": "hello\n", "sub/b.txt": "hello\n" }

let home: Scratch
let product: Product
const tokens = new Map<string, string>()
/** How many calls each principal has made that the audit must know of. */
const calls = new Map<string, number>()

beforeAll(async () => {
  home = scratch()
  for (const place of [...Object.keys(WORKDIRS), "files", "nothing"]) for (const [path, text] of Object.entries(TREE)) home.plant({ [`${place}/${path}`]: text })
  product = await startProduct({
    workdirs: { open: [home.at("open"), "rw"], kept: home.at("kept"), secret: [home.at("secret"), "rw"] },
    files: home.at("files"),
  })
  using state = openState(product.stateDir)
  for (const [name, { gone, ...rights }] of Object.entries(PRINCIPALS).slice(1)) {
    const expires = gone === "expired" ? Date.now() - 1 : null
    tokens.set(name, state.tokens.create(name, { ...rights, expires }, Date.now() - 1000) ?? "")
    if (gone === "revoked") state.tokens.revoke(name)
  }
  tokens.set("static", product.token)
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

const rightsOf = (name: string): Rights => PRINCIPALS[name] as Rights
const at = (name: string, mount: string): At => ({ url: product.url, mount, token: tokens.get(name) ?? "" })

/** A call that gets past the credential is one line in the audit. */
function count(name: string, answer: Answer): Answer {
  if (answer.status !== 401 && answer.code !== "insufficient_scope") calls.set(name, (calls.get(name) ?? 0) + 1)
  return answer
}

interface Cell extends ToolCase {
  readonly mount: string
  /** null where the tool takes none. */
  readonly alias: string | null
  /** Where it works on this machine. */
  readonly root: string
}

function cells(): Cell[] {
  const rootOf = (alias: string) => home.at(alias in WORKDIRS ? alias : "nothing")
  const serverfs = SERVERFS.flatMap((one): Cell[] => {
    if (one.tool === "list_workdirs") return [{ ...one, mount: "/mcp", alias: null, root: home.at("open") }]
    return ALIASES.map((alias) => ({ ...one, mount: "/mcp", alias, root: rootOf(alias) }))
  })
  return [...serverfs, ...FILES.map((one) => ({ ...one, mount: "/files-mcp", alias: null, root: home.at("files") }))]
}

let serial = 0

/** Makes what the call needs, makes the call, and says what came of it, on the disk too. */
async function attempt(name: string, channel: Channel, cell: Cell): Promise<string> {
  const { mount, alias, root, needs, tool } = cell
  const place = `entry-${serial += 1}`
  const here = join(root, place)
  if (needs === "file") writeFileSync(here, "x")
  if (needs === "directory") mkdirSync(here)
  const revision = needs !== undefined && alias !== null && alias in WORKDIRS ? await revisionOf(alias, place) : "v1:0000000000000000"
  const before = onDisk(here)
  const answer = count(name, await channel.call(at(name, mount), tool, { ...cell.args({ name: place, revision }), ...(alias === null ? {} : { workdir: alias }) }))
  const changed = onDisk(here) !== before
  if (answer.code !== null) return changed ? `${answer.code}, and the disk has changed` : answer.code
  return cell.access === "write" && !changed ? "done, and nothing has changed" : "done"
}

async function revisionOf(workdir: string, path: string): Promise<string> {
  return String(count("static", await REST.call(at("static", "/mcp"), "stat_file", { workdir, path })).value?.["revision"])
}

function onDisk(path: string): string {
  const look = (at: string) => (!existsSync(at) ? "-" : statSync(at).isDirectory() ? "directory" : readFileSync(at, "utf8"))
  return `${look(path)} ${look(`${path}.to`)}`
}

describe.each(NAMES)("the principal %s", (name) => {
  const rights = rightsOf(name)

  test.each(CHANNELS)("may do with each tool in each workdir what its rights say, over $name", async (channel) => {
    const wrong: string[] = []
    for (const cell of cells()) {
      const expected = outcome(rights, cell.mount, cell.access, cell.alias)
      const got = await attempt(name, channel, cell)
      if (got !== expected) wrong.push(`${cell.mount} ${cell.tool} in ${cell.alias}: ${expected} expected, got ${got}`)
    }
    expect(wrong).toEqual([])
  })

  test.each(CHANNELS)("is shown the tools that it can use somewhere, over $name", async (channel) => {
    for (const [mount, tools] of [["/mcp", SERVERFS], ["/files-mcp", FILES]] as const) {
      const shown = outcome(rights, mount, "read", null) === "done" ? tools.filter(({ access }) => access === "read" || writesSomewhere(rights, mount)).map(({ tool }) => tool) : null
      expect(await channel.tools(at(name, mount))).toEqual(shown)
    }
  })

  test.each(CHANNELS)("sees its workdirs, in slot order, with the access that it has, over $name", async (channel) => {
    const answer = count(name, await channel.call(at(name, "/mcp"), "list_workdirs", {}))
    const visible = (Object.keys(WORKDIRS) as (keyof typeof WORKDIRS)[]).filter((alias) => sees(rights, alias))
    const expected = outcome(rights, "/mcp", "read", null) === "done" ? visible.map((alias) => ({ alias, description: null, access: accessOf(rights, alias) })) : undefined
    expect(answer.value?.["workdirs"]).toEqual(expected as never)
  })

  test.each(RESOURCE_READERS)("reads the resources of its workdirs, %s era", async (_era, read) => {
    for (const alias of ALIASES) {
      const { code } = count(name, await read(at(name, "/mcp"), `serverfs://${alias}/sub/b.txt`))
      expect(`${alias}: ${code ?? "done"}`).toBe(`${alias}: ${outcome(rights, "/mcp", "read", alias)}`)
    }
  })

  test("learns from /readyz how its own directories are, and of no other", async () => {
    const { services = {} } = await (await product.fetch("/readyz", { headers: { authorization: `Bearer ${tokens.get(name)}` } })).json() as { services?: Record<string, object> }
    const workdirs = ALIASES.filter((alias) => outcome(rights, "/mcp", "read", alias) === "done")
    expect(services["serverfs"]).toEqual(outcome(rights, "/mcp", "read", null) === "done" ? Object.fromEntries(workdirs.map((alias) => [alias, "ok"])) : undefined as never)
    expect("serverfs-files" in services).toBe(outcome(rights, "/files-mcp", "read", null) === "done")
  })

  test("cannot tell a workdir that it lacks from one that does not exist, in any channel", async () => {
    if (sees(rights, "secret")) return
    const different: string[] = []
    const compare = async (what: string, ask: (alias: string) => Promise<Answer>): Promise<void> => {
      const [lacked, absent] = [seen(count(name, await ask("secret"))), seen(count(name, await ask("absent")))]
      if (lacked.replaceAll("secret", "absent") !== absent) different.push(`${what}: ${lacked} / ${absent}`)
    }
    for (const channel of CHANNELS) {
      for (const { tool, args } of SERVERFS.slice(1)) {
        await compare(`${channel.name} ${tool}`, (workdir) => channel.call(at(name, "/mcp"), tool, { ...args({ name: "a.txt", revision: "v1:0000000000000000" }), workdir }))
        await compare(`${channel.name} ${tool} without arguments`, (workdir) => channel.call(at(name, "/mcp"), tool, { workdir }))
      }
    }
    for (const [era, read] of RESOURCE_READERS) {
      for (const path of ["a.txt", "", "none", "../x", ".env"]) await compare(`resource ${path}, ${era}`, (alias) => read(at(name, "/mcp"), `serverfs://${alias}/${path}`))
    }
    expect(different).toEqual([])
  })
})

/** All of an answer that a client can see, but when it was given. */
function seen({ status, headers, text }: Answer): string {
  return JSON.stringify([status, [...headers].filter(([name]) => name !== "date"), text])
}

test("the audit knows every call of every principal under its name, once, and never a token", async () => {
  expect(await product.stop()).toBe(0)
  const logged = Map.groupBy(product.log.filter(({ event }) => event === "tool_call"), ({ principal }) => String(principal))
  expect(Object.fromEntries([...logged].map(([name, lines]) => [name, lines.length]))).toEqual(Object.fromEntries(calls))
  for (const [name, rights] of Object.entries(PRINCIPALS)) expect(calls.has(name)).toBe(rights.gone === undefined)
  expect(product.log.some(({ event }) => event === "auth_failed")).toBe(true)
  for (const token of tokens.values()) expect(product.written.stdout + product.written.stderr).not.toContain(token)
})
