/** The running product under a stream of requests, and what must never be seen: a crash, a 500, anything of the host. */
import { chmodSync, chownSync, lchownSync, linkSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { memoryOf } from "../e2e/proc.ts"
import { openState } from "../../src/state/state.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { Chance } from "./chance.ts"
import { type FuzzRequest, type FuzzTool, type Known, nextRequest } from "./requests.ts"
import { type Reply, Wire } from "./wire.ts"

/** Numbers that occur nowhere else. */
const UID = 646_464, GID = 656_565
const CONNECTIONS = 16
/** The trees are planted anew this often, so that copies of copies don't fill the disk. */
const REPLANT_EVERY = 3000
const MAIN = join(import.meta.dir, "../../src/main.ts")
/** Requests between two looks at the memory. */
const LOOK_EVERY = 25_000

export interface FuzzOptions {
  readonly seed: number
  /** Ends at whichever comes first. */
  readonly requests: number
  readonly ms?: number
}

export interface FuzzOutcome {
  readonly requests: number
  readonly seconds: number
  /** By HTTP status; 0 = the connection was closed. */
  readonly statuses: Readonly<Record<string, number>>
  /** By code, of tools and gates. */
  readonly codes: Readonly<Record<string, number>>
  /** MiB after every 25,000 requests. */
  readonly memory: readonly number[]
  /** What must not be, each kind once, with the request that showed it. */
  readonly faults: readonly string[]
}

export async function fuzz({ seed, requests, ms = Number.POSITIVE_INFINITY }: FuzzOptions): Promise<FuzzOutcome> {
  using home = scratch({ work: null, look: null, files: null, state: null })
  chmodSync(home.path, 0o755)
  const inodes = replant(home)
  await using product = await start(home)
  const known: Known & { revisions: string[] } = { tools: await toolsOf(product), token: product.token, revisions: [] }
  const watch = new Watch([...inodes, home.path, String(UID), String(GID)], home)
  const chance = new Chance(seed)
  const began = performance.now()
  const memory: number[] = []
  let sent = 0
  let inFlight = 0
  let pause: Promise<void> | null = null

  /** Lets the calls in flight finish, so that nothing is taken away under them. */
  async function plantAnew(): Promise<void> {
    while (inFlight > 0) await Bun.sleep(1)
    for (const inode of replant(home)) watch.secrets.add(inode)
    pause = null
  }

  async function keepSending(): Promise<void> {
    const wire = new Wire(product.port)
    for (;;) {
      while (pause !== null) await pause
      if (sent >= requests || performance.now() - began > ms || watch.faults.size > 20) break
      sent++
      if (sent % REPLANT_EVERY === 0) await (pause = plantAnew())
      if (sent % LOOK_EVERY === 0) memory.push(Math.round(memoryOf(product.pid)))
      const request = nextRequest(chance, known)
      inFlight++
      try {
        const reply = await wire.send(request)
        watch.judge(request, reply)
        remember(known.revisions, reply.body, chance)
      } catch (error) {
        watch.fault(String(error), request)
        wire.close()
        if (hasEnded(product)) break
      } finally {
        inFlight--
      }
    }
    wire.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, keepSending))
  if (hasEnded(product)) watch.faults.set("the product ended", product.written.stderr.slice(-2000))
  else await product.stop()
  watch.judgeLog(product)
  return {
    requests: sent,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    statuses: watch.statuses, codes: watch.codes, memory,
    faults: [...watch.faults].map(([kind, example]) => `${kind}\n    ${example}`),
  }
}

/** As a user whose number is like no other, with the authorization server on. */
async function start(home: Scratch): Promise<Product> {
  const stateDir = home.at("state")
  chmodSync(stateDir, 0o700)
  {
    using state = openState(stateDir)
    await state.operatorSecret.set("a secret that nobody guesses", Date.now())
  }
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const name of ["", ...readdirSync(stateDir)]) chownSync(join(stateDir, name), UID, GID)
  return startProduct({
    command: [...(isRoot ? ["setpriv", `--reuid=${UID}`, `--regid=${GID}`, "--clear-groups", "--inh-caps=-all"] : []), process.execPath, "--no-env-file", MAIN],
    cwd: "/",
    stateDir,
    workdirs: { work: [home.at("work"), "rw"], look: home.at("look") },
    files: home.at("files"),
    env: { SERVERFS_LOG_LEVEL: "DEBUG", SERVERFS_PUBLIC_URL: "https://gate.example", SERVERFS_TRUSTED_PROXIES: "127.0.0.1", SERVERFS_METRICS: "on" },
  })
}

async function toolsOf(product: Product): Promise<FuzzTool[]> {
  const lists = ["/mcp", "/files-mcp"].map(async (mount) => {
    const response = await product.fetch(mount, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    })
    const { result } = (await response.json()) as { result: { tools: Omit<FuzzTool, "mount">[] } }
    return result.tools.map((tool) => ({ ...tool, mount }))
  })
  return (await Promise.all(lists)).flat()
}

function hasEnded({ pid }: Product): boolean {
  try {
    return memoryOf(pid) === 0 || Number.isNaN(memoryOf(pid))
  } catch {
    return true
  }
}

/** Keeps some revisions, old and new, for the calls that need one. */
function remember(revisions: string[], body: string, chance: Chance): void {
  for (const [revision] of body.matchAll(/v1:[0-9a-f]{16}/g)) {
    if (revisions.length < 200) revisions.push(revision)
    else revisions[chance.below(revisions.length)] = revision
  }
}

/** Makes the three trees anew; returns the inode numbers that are large enough to be told from other numbers. */
function replant(home: Scratch): string[] {
  const inodes: string[] = []
  for (const name of ["work", "look", "files"]) {
    const top = home.at(name)
    const at = (path: string): string => join(top, path)
    for (const entry of readdirSync(top)) rmSync(at(entry), { recursive: true, force: true })
    for (const directory of ["c", "d", "c/d"]) mkdirSync(at(directory))
    for (const directory of ["", "c", "c/d"]) {
      writeFileSync(at(join(directory, "a.txt")), "hello\none\ntwo\nneedle\n")
      writeFileSync(at(join(directory, "b.txt")), "x\n".repeat(300))
    }
    writeFileSync(at("bin.dat"), Buffer.from([0, 1, 2]))
    writeFileSync(at("latin.txt"), Buffer.from([0xe9, 0x0a]))
    writeFileSync(Buffer.concat([Buffer.from(`${top}/`), Buffer.from([0xff, 0xfe])]), "")
    symlinkSync("a.txt", at("link"))
    symlinkSync("/etc", at("out"))
    linkSync(at("b.txt"), at("long line.txt"))
    Bun.spawnSync(["mkfifo", at("fifo")], { stderr: "ignore" })
    for (const entry of entriesBelow(top)) {
      const stat = lstatSync(at(entry), { throwIfNoEntry: false })
      // The one whose name is not UTF-8 is not found by what its name is read as.
      if (stat === undefined) continue
      if (process.getuid?.() === 0) lchownSync(at(entry), UID, GID)
      if (stat.ino > 99_999) inodes.push(String(stat.ino))
    }
  }
  return inodes
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Temporary names of the product: the reserved prefix and more random digits than any request holds. */
const TEMP_NAME = /\.serverfs-tmp-[0-9a-f]{32}/

class Watch {
  readonly statuses: Record<string, number> = {}
  readonly codes: Record<string, number> = {}
  readonly faults = new Map<string, string>()
  /** Texts that no answer and no log line may hold as a word. */
  readonly secrets: Set<string>
  readonly #home: string
  readonly #filesRoot: string

  constructor(secrets: readonly string[], home: Scratch) {
    this.secrets = new Set(secrets)
    this.#home = home.path
    this.#filesRoot = home.at("files")
  }

  judge(request: FuzzRequest, { status, head, body }: Reply): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    const code = /"(?:code":"|text":")([A-Z][A-Z_]+)/.exec(body)?.[1]
    if (code !== undefined) this.codes[code] = (this.codes[code] ?? 0) + 1
    // The older SDK says -32603 itself, with a list of what is wrong, when the parameters of its own methods (initialize) are.
    const internal = code === "INTERNAL_ERROR" || /"code":-32603,"message":"(?!\[)/.test(body)
    const failed = status >= 500 ? `status ${status}` : internal ? "INTERNAL_ERROR" : null
    if (failed !== null) this.fault(`${failed} ${code ?? ""}`, request, body)
    // Files names what it found by absolute paths; its refusals and everything else on any mount do not.
    const leak = this.#leakIn(head + (request.path.startsWith("/files-mcp") && status === 200 ? this.#withoutFound(body) : body))
    if (leak !== null) this.fault(`leak of ${leak}`, request, body)
  }

  judgeLog({ written }: Product): void {
    for (const line of written.stderr.split("\n")) {
      const leak = this.#leakIn(line)
      if (leak !== null) this.faults.set(`leak of ${leak} in the log`, line.slice(0, 1000))
      if (line.includes('"event":"internal_error"')) this.faults.set(`internal_error: ${/"detail":"[^\\"]*/.exec(line)?.[0]}`, line.slice(0, 2000))
      if (line !== "" && !line.startsWith("{")) this.faults.set("a line in the log that is no event", line.slice(0, 1000))
    }
  }

  fault(kind: string, { method, path, headers, body }: FuzzRequest, answer = ""): void {
    if (this.faults.has(kind)) return
    this.faults.set(kind, `${method} ${path} ${JSON.stringify(headers)} ${Buffer.from(body).toString("latin1").slice(0, 600)} → ${answer.slice(0, 600)}`)
  }

  /** The body without the root where a success may name it. */
  #withoutFound(body: string): string {
    const messages = body.includes("data: ") ? [...body.matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? "") : [body]
    return messages.map((message) => {
      const parts: unknown = parsed(message)
      return (Array.isArray(parts) ? parts : [parts]).map((part) => {
        const text = JSON.stringify(part)
        return /"isError":true|"error":/.test(text) ? text : text.replaceAll(this.#filesRoot, "")
      }).join()
    }).join()
  }

  #leakIn(text: string): string | null {
    if (text.includes(this.#home)) return "the root"
    if (TEMP_NAME.test(text)) return "a temporary name"
    for (const [number] of text.matchAll(/(?<![\w.:-])\d{6,}(?![\w.-])/g)) if (this.secrets.has(number)) return number === String(UID) || number === String(GID) ? "the user's number" : "an inode number"
    return null
  }
}

/** Names from `top` on, its own first. Links are not entered, which a recursive readdir of Bun does. */
function entriesBelow(top: string, below = ""): string[] {
  const entries = readdirSync(join(top, below), { withFileTypes: true })
  return [below, ...entries.flatMap((entry) => (entry.isDirectory() ? entriesBelow(top, join(below, entry.name)) : [join(below, entry.name)]))]
}
