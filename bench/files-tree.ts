/**
 * Trees on /files-mcp against cp, rm and mv on the same filesystem, turn about: `bun bench/files-tree.ts [DIR] [FILES] [PAIRS]`.
 * With progress, and with one client editing in a workdir meanwhile. Prints medians, ratios, the longest edit and peak RSS.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Product, startProduct } from "../test/helpers/product.ts"

const [base = tmpdir(), files = "100000", pairs = "5"] = process.argv.slice(2)
const COUNT = Number(files), PAIRS = Number(pairs)
const dir = realpathSync(mkdtempSync(join(base, "files-tree-")))
const root = join(dir, "root")

/** 100 files of up to a few KB in each directory, 20 of those in each of the ones above. */
function plant(top: string): void {
  for (let at = 0; at < COUNT; at++) {
    const directory = Math.floor(at / 100)
    const path = join(top, `s${Math.floor(directory / 20)}`, `d${directory}`)
    if (at % 100 === 0) mkdirSync(path, { recursive: true })
    writeFileSync(join(path, `file-${at % 100}.txt`), `${at}\n`.repeat((at * 7) % 500))
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function sh(command: string): Promise<void> {
  const child = Bun.spawn(["sh", "-c", command], { cwd: root, stderr: "pipe" })
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
}

let serial = 0
let notices = 0
let turns = 0

/** One call that asks for progress. */
async function call(product: Product, mount: string, name: string, args: object): Promise<any> {
  const id = ++serial
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: { progressToken: id } } })
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const answer = await product.fetch(mount, { method: "POST", body, headers, timeout: false } as RequestInit)
  const text = await answer.text()
  const messages = text.startsWith("{") ? [JSON.parse(text)] : text.split("\n").filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)))
  notices += messages.filter(({ method }) => method === "notifications/progress").length
  const result = messages.find((message) => message.id === id)?.result
  if (result === undefined || result.isError) throw new Error(text.slice(0, 500))
  return result.structuredContent
}

/** Edits a file over and over until `done`; the longest wait, ms. */
async function editing(product: Product, done: Promise<unknown>): Promise<number> {
  const over = new AbortController()
  void done.finally(() => over.abort())
  let longest = 0
  while (!over.signal.aborted) {
    const [from, to] = turns++ % 2 === 0 ? ["one", "two"] : ["two", "one"]
    const { revision } = await call(product, "/mcp", "stat_file", { workdir: "w", path: "f" })
    const edits = [{ old_text: from, new_text: to }]
    longest = Math.max(longest, await timed(() => call(product, "/mcp", "edit_text_file", { workdir: "w", path: "f", expected_revision: revision, edits })))
    await Bun.sleep(20)
  }
  return longest
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
const peakRss = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const times: Record<string, number[]> = {}
const note = (row: string, ms: number): void => { (times[row] ??= []).push(ms) }

try {
  mkdirSync(join(dir, "w"), { recursive: true })
  writeFileSync(join(dir, "w/f"), "one")
  plant(join(root, "t"))
  await sh("sync")
  await using product = await startProduct({ workdirs: { w: [join(dir, "w"), "rw"] }, files: root, env: { SERVERFS_CALL_TIMEOUT_SECONDS: "600" } })
  const ours = async (row: string, tool: string, args: object): Promise<void> => {
    let ms = 0
    const work = timed(() => call(product, "/files-mcp", tool, args)).then((took) => { ms = took })
    const [longest] = await Promise.all([editing(product, work), work])
    note(row, ms)
    note("edit meanwhile, longest", longest)
  }
  for (let pair = 0; pair < PAIRS; pair++) {
    note("cp -a + sync", await timed(() => sh("cp -a t theirs && sync")))
    await ours("copy", "copy", { src: "t", dst: "mine" })
    note("mv", await timed(() => sh("mv theirs theirs2")))
    note("move", await timed(() => call(product, "/files-mcp", "move", { src: "mine", dst: "mine2" })))
    note("rm -r", await timed(() => sh("rm -r theirs2")))
    await ours("delete", "delete_file", { path: "mine2", recursive: true })
  }
  for (const [row, values] of Object.entries(times)) console.log(`${row}: median ${median(values).toFixed(1)} ms of ${values.map((ms) => ms.toFixed(0)).join(" ")}`)
  const ratio = (a: string, b: string): string => (median(times[a] ?? []) / median(times[b] ?? [])).toFixed(2)
  console.log(`${COUNT} files: copy / cp -a + sync ${ratio("copy", "cp -a + sync")}, delete / rm -r ${ratio("delete", "rm -r")}, move ${median(times["move"] ?? []).toFixed(1)} ms`)
  console.log(`peak RSS ${peakRss(product.pid).toFixed(0)} MB, ${notices} progress notifications, longest edit ${Math.max(...(times["edit meanwhile, longest"] ?? [])).toFixed(0)} ms`)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
