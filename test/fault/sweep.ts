/**
 * The fault sweep: bun test/fault/sweep.ts [name]
 *
 * Every system call on the path of every mutation fails in turn with EIO, ENOSPC, EDQUOT, EINTR and EACCES, and the process is
 * killed before each (which is after the one before it). After each run: the tree is wholly the old or wholly the new
 * one, and the answer says which; no temporary name is left, but after a kill or where removing it was what failed; no
 * descriptor is left; the code is one of the table, and its message names nothing of the host. Needs strace.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ERRORS } from "../../src/errors.ts"
import { isReserved } from "../../src/workdir/reserved.ts"
import { edit, mutating } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"
import { xattrsOf } from "../helpers/xattrs.ts"
import type { Response } from "./messages.ts"
import { type Scenario, SCENARIOS } from "./scenarios.ts"
import { type Traced, Tracee } from "./tracee.ts"

const ERRNOS = ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES"]
/** What the operation itself asks for; the rest of a trace is the runtime's. */
const OURS = new Set([
  "openat", "openat2", "statx", "faccessat2", "pread64", "write", "fsync", "fchmod", "fchown", "flistxattr", "fgetxattr", "fsetxattr", "fremovexattr",
  "linkat", "renameat2", "unlinkat", "mkdirat", "getdents64", "close",
])
/** A close(2) that strace fails was never made: the leak would be its own. */
const KILL_ONLY = new Set(["close"])
const TRIES = 20
const UNFINISHED = /(= \?|<unfinished \.\.\.>)$/
/** How a message says that a failure came after the change. */
const MADE_ALL_THE_SAME = "the change was made"

interface Tree {
  readonly entries: string
  readonly reserved: number
}

/** Everything that a caller or the operator can see, and how many reserved names there are besides. */
function treeOf(root: string): Tree {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort()
  const seen = names.filter((name) => !name.split("/").some(isReserved))
  const entries = seen.map((name) => {
    const path = join(root, name)
    const stat = lstatSync(path)
    const content = stat.isFile() ? readFileSync(path, "utf8") : ""
    return JSON.stringify([name, stat.mode, stat.uid, stat.gid, content, stat.isFile() ? xattrsOf(path) : []])
  })
  return { entries: entries.join("\n"), reserved: names.length - seen.length }
}

const work = scratch()
const traceFile = work.at("trace")
let tracee = await Tracee.start()
const totals = { runs: 0, killed: 0, refused: 0, succeeded: 0 }
const wrong: string[] = []

interface Fault {
  readonly at: Traced
  /** strace's own word: error=EIO, signal=SIGKILL. */
  readonly what: string
}

/** Runs until the fault has hit the operation and nothing else: the runtime's own calls shift the numbers now and then. */
async function attempt(scenario: Scenario, fault: Fault | null) {
  let noise = 0
  for (let tries = 0; tries < TRIES; tries++) {
    if (!tracee.alive) tracee = await Tracee.start()
    const dir = scenario.plant()
    const before = treeOf(dir.path)
    const { path } = scenario.request
    const revision = existsSync(dir.at(path)) ? await mutating(dir.path).revision(path) : ""
    const faults = fault === null ? scenario.always : [...scenario.always, `${fault.at.name}:${fault.what}:when=${fault.at.nth + noise}`]
    const run = await tracee.run({ ...scenario.request, root: dir.path, revision }, faults, traceFile)
    if (!run.strayed && isHit(scenario, fault, run.calls)) return { dir, before, after: treeOf(dir.path), ...run, [Symbol.dispose]: () => dir[Symbol.dispose]() }
    noise = run.noise.get(fault?.at.name ?? "") ?? 0
    dir[Symbol.dispose]()
  }
  throw new Error(`${scenario.name}: no run in which ${fault?.what ?? "what it needs"} was hit at ${fault?.at.line ?? "its call"}`)
}

/** A call that was failed is marked as such; one before which the process died has no result. */
function isHit({ always }: Scenario, fault: Fault | null, calls: readonly Traced[]): boolean {
  if (fault === null) return always.every((each) => calls.some(({ name, line }) => each.startsWith(`${name}:`) && line.includes("(INJECTED)")))
  const call = calls.find(({ name, nth }) => name === fault.at.name && nth === fault.at.nth)
  return call !== undefined && (fault.what.startsWith("signal") ? UNFINISHED.test(call.line) : call.line.includes("(INJECTED)"))
}

/** What the answer and the tree must be after a call that failed. */
function judge({ code, message, logged }: Response, root: string, before: Tree, after: Tree, done: Tree, { at: target, what }: Fault): string | null {
  const changed = code === null || message.includes(MADE_ALL_THE_SAME)
  if (code !== null && (!(code in ERRORS) || code === "INTERNAL_ERROR")) return `code ${code}`
  if (message.includes(root) || message.includes(".serverfs-tmp")) return `message ${message}`
  if (after.entries !== (changed ? done : before).entries) return `${code ?? "success"}, and the tree is not the ${changed ? "new" : "old"} one`
  const unflushed = code === null && target.name === "fsync" && !what.endsWith("EINTR")
  if (logged.includes("directory_fsync_failed") !== unflushed) return `logged: ${logged.join()}`
  const allowed = target.name === "unlinkat" ? before.reserved + 1 : changed ? done.reserved : before.reserved
  return after.reserved > allowed ? `${after.reserved} temporary names` : null
}

async function failOne(scenario: Scenario, target: Traced, errno: string, done: Tree): Promise<void> {
  const fault = { at: target, what: `error=${errno}` }
  using run = await attempt(scenario, fault)
  const { response, before, after, dir } = run
  totals.runs++
  const verdict = response === null ? "the process ended" : judge(response, dir.path, before, after, done, fault)
  if (run.leaked !== 0) wrong.push(`${scenario.name}: ${errno} at ${target.line}: ${run.leaked} descriptors more`)
  if (response?.code === null) totals.succeeded++
  else totals.refused++
  if (verdict !== null) wrong.push(`${scenario.name}: ${errno} at ${target.line}: ${verdict}`)
}

async function killAt(scenario: Scenario, target: Traced, done: Tree): Promise<void> {
  using run = await attempt(scenario, { at: target, what: "signal=SIGKILL" })
  totals.runs++
  totals.killed++
  const where = `${scenario.name}: killed at ${target.line}`
  const { before, after, dir } = run
  if (run.response !== null) wrong.push(`${where}: it lived on`)
  if (after.entries !== before.entries && after.entries !== done.entries) wrong.push(`${where}: neither the old tree nor the new one`)
  if (after.reserved > before.reserved + 1) wrong.push(`${where}: ${after.reserved} temporary names`)
  if (scenario.request.tool === "create_text_file" && after.entries === done.entries) {
    // Whatever the kill left, the file can be edited, and a second name of ours is gone then.
    await mutating(dir.path).edit(scenario.request.path, [edit("new", "newer")]).catch((error) => wrong.push(`${where}: then ${String(error)}`))
    if (lstatSync(dir.at(scenario.request.path)).nlink !== 1 || treeOf(dir.path).reserved > 1) wrong.push(`${where}: a name is left after an edit`)
  }
}

const only = process.argv[2]
for (const scenario of SCENARIOS.filter(({ name }) => only === undefined || name.includes(only))) {
  using clean = await attempt(scenario, null)
  if (clean.response?.code !== null) throw new Error(`${scenario.name}: ${clean.response?.message}`)
  const done = clean.after
  const preset = new Set(scenario.always.map((fault) => fault.split(":")[0]))
  // strace takes one fault a call name: where the scenario needs one of its own, that name is left to the other scenarios.
  const targets = clean.calls.filter(({ name }) => OURS.has(name) && !preset.has(name))
  const runsBefore = totals.runs
  for (const target of targets) {
    if (!KILL_ONLY.has(target.name)) for (const errno of ERRNOS) await failOne(scenario, target, errno, done)
    await killAt(scenario, target, done)
  }
  console.log(`${scenario.name}: ${targets.length} calls, ${totals.runs - runsBefore} runs`)
}

await tracee[Symbol.asyncDispose]()
work[Symbol.dispose]()
console.log(`${totals.runs} runs: ${totals.succeeded} succeeded all the same, ${totals.refused} refused, ${totals.killed} killed; ${wrong.length} wrong`)
for (const each of wrong) console.error(each)
process.exit(wrong.length === 0 ? 0 : 1)
