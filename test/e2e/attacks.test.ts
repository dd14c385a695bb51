/** Attacks on the credential, against the running product at its most talkative. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { openState } from "../../src/state/state.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type At, CHANNELS, legacy, REST } from "./channels.ts"
import { holdSearch } from "./held-search.ts"

const ALL = { mounts: null, workdirs: null, readOnly: false, expires: null }
/** How long the gateway may take a credential that it has found good for good. */
const GOOD_FOR_MS = 1000
const GUESS = `sfs_${"guess".repeat(9)}`.slice(0, 47)

let home: Scratch
let product: Product
let named: string

beforeAll(async () => {
  home = scratch({ "main/a.txt": "hello\n", "log": null })
  product = await startProduct({
    workdirs: { main: [home.at("main"), "rw"] },
    env: { SERVERFS_LOG_LEVEL: "DEBUG", SERVERFS_AUDIT_FILE: home.at("log/audit.jsonl") },
  })
  named = create("named")
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

function create(name: string): string {
  using state = openState(product.stateDir)
  return state.tokens.create(name, ALL, Date.now()) ?? ""
}

function revoke(name: string): void {
  using state = openState(product.stateDir)
  state.tokens.revoke(name)
}

const at = (token: string | null): At => ({ url: product.url, mount: "/mcp", token })
const list = (token: string | null) => REST.call(at(token), "list_workdirs", {})

/** A connection on which these bytes have been sent, and all that comes back. */
function open(text: string): { socket: Socket; answer: Promise<string> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<string>()
  let received = ""
  const socket = connect(product.port, "127.0.0.1")
  socket.write(text)
  socket.on("data", (chunk) => { received += chunk.toString() })
  socket.on("close", () => resolve(received))
  socket.on("error", reject)
  return { socket, answer }
}

/** A call of list_workdirs over REST with these header lines. */
const rawList = (...lines: string[]) =>
  open(["POST /mcp/list_workdirs HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 2", "Connection: close", ...lines, "", "{}"].join("\r\n")).answer

describe("brute force", () => {
  test("never locks out a valid token, and all that it learns is the same 401", async () => {
    const guess = (i: number) => list(`${GUESS.slice(0, -4)}${String(i).padStart(4, "0")}`)
    const refusals = new Set<string>()
    for (let wave = 0; wave < 20; wave++) {
      const [mine, ...theirs] = await Promise.all([list(named), ...Array.from({ length: 50 }, (_, i) => guess(wave * 50 + i))])
      expect(mine.code).toBeNull()
      for (const { status, headers, text } of theirs) refusals.add(JSON.stringify([status, headers.get("www-authenticate"), text]))
    }
    expect([...refusals]).toEqual([JSON.stringify([401, 'Bearer realm="serverfs", error="invalid_token"', '{"detail":"the bearer token is not known, or no longer","code":"unauthorized"}'])])
    expect((await list(product.token)).code).toBeNull()
  })

  test("does not flood the log, which still says that it happens", async () => {
    const line = await product.logged("auth_failed", { mount: "/mcp", client: "127.0.0.1" })
    expect(line["level"]).toBe("WARNING")
    expect(product.log.filter(({ event }) => event === "auth_failed").length).toBeLessThan(50)
  })

  test("on what is almost the token: cut short, made longer, in another case, with blanks", async () => {
    const swapped = named.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    for (const almost of [named.slice(0, -1), `${named}A`, named.slice(4), `sfs_${named}`, swapped, `${named},${named}`, `"${named}"`]) {
      expect([almost, (await list(almost)).code]).toEqual([almost, "unauthorized"])
    }
  })
})

describe("a token anywhere but in the one Authorization header", () => {
  test.each<[string, (token: string) => readonly [path: string, init: RequestInit]]>([
    ["in the query, as OAuth once allowed", (token) => [`?access_token=${token}`, {}]],
    ["in the query, under other names", (token) => [`?token=${token}&api_key=${token}&authorization=Bearer%20${token}`, {}]],
    ["in a cookie", (token) => ["", { headers: { cookie: `token=${token}; access_token=${token}; authorization=Bearer ${token}` } }]],
    ["in the body", (token) => ["", { body: JSON.stringify({ access_token: token, authorization: `Bearer ${token}` }) }]],
    ["in a form body", (token) => ["", { body: `access_token=${token}`, headers: { "content-type": "application/x-www-form-urlencoded" } }]],
    ["in headers of other names", (token) => ["", { headers: { "x-api-key": token, "x-auth-token": token, "proxy-authorization": `Bearer ${token}`, "mcp-session-id": token } }]],
    ["as Basic credentials", (token) => ["", { headers: { authorization: `Basic ${btoa(`${token}:${token}`)}` } }]],
    ["under another scheme", (token) => ["", { headers: { authorization: `Token ${token}` } }]],
    ["without a scheme", (token) => ["", { headers: { authorization: token } }]],
    ["twice in one header", (token) => ["", { headers: { authorization: `Bearer ${token}, Bearer ${token}` } }]],
  ])("%s opens nothing", async (_where, place) => {
    for (const token of [product.token, named]) {
      const [query, init] = place(token)
      for (const path of ["/mcp", "/mcp/list_workdirs", "/mcp/read_text_file"]) {
        const { status } = await product.fetch(path + query, { method: "POST", body: "{}", ...init, headers: { authorization: "", ...init.headers } })
        expect([path, status]).toEqual([path, 401])
      }
      expect((await product.fetch(`/mcp/openapi.json${query}`, { headers: { authorization: "", ...init.headers } })).status).toBe(401)
      expect(await (await product.fetch(`/readyz${query}`, { headers: { authorization: "", ...init.headers } })).json()).toEqual({ status: "ready" })
    }
  })

  test("in a second Authorization header opens nothing, whichever comes first", async () => {
    expect(await rawList(`Authorization: Bearer ${named}`)).toStartWith("HTTP/1.1 200")
    expect(await rawList(`Authorization: Bearer ${named}`, `Authorization: Bearer ${GUESS}`)).toStartWith("HTTP/1.1 401")
    expect(await rawList(`Authorization: Bearer ${GUESS}`, `Authorization: Bearer ${named}`)).toStartWith("HTTP/1.1 401")
  })

  test("in the path is a 404", async () => {
    for (const path of [`/mcp/${named}`, `/${named}/mcp`, `/mcp;token=${named}/list_workdirs`]) expect((await product.fetch(path, { method: "POST", body: "{}" })).status).toBe(404)
  })
})

describe("a token that is revoked", () => {
  test("is refused from the next call on, over every channel, on a connection that stays open", async () => {
    const token = create("short-lived")
    for (const { call } of CHANNELS) expect((await call(at(token), "list_workdirs", {})).code).toBeNull()
    revoke("short-lived")
    for (const { call } of CHANNELS) expect((await call(at(token), "list_workdirs", {})).code).toBe("unauthorized")
  })

  test("is refused when it is revoked while the body of its call is still on its way, and the call is not made", async () => {
    const token = create("slow-body")
    const body = JSON.stringify({ workdir: "main", path: "late.txt", content: "x" })
    const { socket, answer } = open(`POST /mcp/create_text_file HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
    socket.write(body.slice(0, 10))
    await Bun.sleep(GOOD_FOR_MS)
    revoke("slow-body")
    socket.write(body.slice(10))
    expect(await answer).toStartWith("HTTP/1.1 401")
    expect(existsSync(home.at("main/late.txt"))).toBe(false)
  })

  test("while a call of it is in flight: that call finishes and is recorded, the next is refused", async () => {
    home.plant(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`main/many/${i}.txt`, "hello\n".repeat(400)])))
    const token = create("in-flight")
    const inFlight = await holdSearch(product, () => REST.call(at(token), "search_text", { workdir: "main", path: "many", query: "not there" }))
    revoke("in-flight")
    expect((await list(token)).code).toBe("unauthorized")
    inFlight.goOn()
    expect((await inFlight.answer).value).toMatchObject({ returned: 0, truncated: false })
    expect((await list(token)).code).toBe("unauthorized")
    await product.logged("tool_call", { principal: "in-flight", tool: "search_text", success: true })
  })
})

describe("what is written down", () => {
  test("never holds a token or a static token's digest, at DEBUG either", async () => {
    await legacy(at(named), "tools/call", { name: named, arguments: { [named]: named } })
    await product.fetch("/mcp", { method: "POST", body: `{"token":"${named}`, headers: { authorization: `Bearer ${GUESS}` } })
    await product.fetch("/mcp", { method: "POST", body: `{"token":"${named}`, headers: { authorization: `Bearer ${named}` } })
    await product.fetch("/mcp", { method: "POST", body: "{}", headers: { host: named, authorization: `Bearer ${named}` } })
    await product.fetch("/mcp", { method: "POST", body: "{}", headers: { origin: `https://${named}`, authorization: `Bearer ${named}` } })
    expect(await product.stop()).toBe(0)

    const state = readdirSync(product.stateDir).map((name) => readFileSync(join(product.stateDir, name), "latin1"))
    const written = [product.written.stdout, product.written.stderr, readFileSync(home.at("log/audit.jsonl"), "utf8"), ...state].join("\n")
    expect(written).toContain('"principal":"named"')
    for (const token of [product.token, named, GUESS]) expect(written).not.toContain(token)
    for (const encoding of ["hex", "base64", "base64url", "latin1"] as const) expect(written).not.toContain(createHash("sha256").update(product.token).digest(encoding))
  })
})

/** Timing can't be measured reliably; that nothing compares a secret in a way that depends on it can be read. */
describe("the comparison of secrets", () => {
  const src = join(import.meta.dir, "../../src")
  const text = (file: string) => readFileSync(join(src, file), "utf8")
  const verifiers = [...new Bun.Glob("http/auth/*-token.ts").scanSync(src)]

  test.each(verifiers)("in %s is timingSafeEqual on digests, and nothing else", (file) => {
    const source = text(file)
    expect(source).toContain("timingSafeEqual(")
    expect(source.replaceAll(/timingSafeEqual\([^)]*\)/g, "")).not.toMatch(/(digest|hash|expected)\b[^,)]*(===|!==|==|\.equals|\.includes|\.startsWith|\.indexOf)|(===|!==)\s*(digest|hash|expected)/)
  })

  test("leaves the text of a token to the hash function alone", () => {
    const source = text("http/auth/create-authenticator.ts")
    const uses = source.split("\n").map((line) => line.trim()).filter((line) => /\btext\b/.test(line) && !line.startsWith("import "))
    expect(uses).toEqual(["const text = BEARER.exec(authorization)?.[1]", 'if (text === undefined) return { refused: "invalid" }', "const digest = digestOf(text)"])
    expect(verifiers.length).toBeGreaterThanOrEqual(2)
  })
})
