/**
 * The fault sweep: bun test/fault/sweep.ts [name]
 *
 * Every system call on the path of every mutation of both services fails in turn with EIO, ENOSPC, EDQUOT, EINTR and EACCES,
 * then from there on with EIO, and the process is killed before each (which is after the one before it). After each run the
 * tree is wholly the old or wholly the new one, and the answer says which; what removes a tree, or moves something between two
 * filesystems, may stop on its way, and says how far it came; what a kill may leave besides, the scenario names. No temporary
 * name is left, but after a kill, while a fault lasts or where removing it was what failed, and after a kill no listing shows
 * it; no descriptor is left; the code is one of the table, and its message names nothing of the host; when a kill left the old
 * tree, the same call, made again, succeeds. Prints a table of the outcomes, and below each path what was wrong. Needs strace;
 * the moves between two filesystems are made as root only. With a name, only the paths whose names hold it.
 */
import { existsSync, lstatSync } from "node:fs"
import { join } from "node:path"
import { edit, mutating } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"
import { filesIn } from "../operations/files/driver.ts"
import { FILES } from "./files-scenarios.ts"
import { type Fault, judgeFailed, judgeKilled } from "./judge.ts"
import type { Request } from "./messages.ts"
import { inPrivateNamespace } from "./mounts.ts"
import { perform } from "./perform.ts"
import { isRoot, type Scenario } from "./scenario.ts"
import { SERVERFS } from "./serverfs-scenarios.ts"
import { type Traced, Tracee } from "./tracee.ts"
import { same, type Tree, treeOf } from "./tree.ts"

if (isRoot) inPrivateNamespace(import.meta.path)

const ERRNOS = ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES"]
/** What the operation itself asks for; the rest of a trace is the runtime's. */
const OURS = new Set([
  "openat", "openat2", "statx", "faccessat2", "pread64", "write", "lseek", "copy_file_range", "ftruncate", "fsync", "syncfs", "fchmod", "fchown", "utimensat",
  "flistxattr", "fgetxattr", "fsetxattr", "fremovexattr", "readlinkat", "symlinkat", "linkat", "renameat2", "unlinkat", "mkdirat", "getdents64", "close",
])
/** A close(2) that strace fails was never made: the leak would be its own. */
const KILL_ONLY = new Set(["close"])
/** The tracee answers by write(2) too. */
const ONCE_ONLY = new Set(["write"])
const TRIES = 20
const UNFINISHED = /(= \?|<unfinished \.\.\.>)$/

const work = scratch()
const traceFile = work.at("trace")
let tracee = await Tracee.start()

/** Runs until the fault has hit the operation and nothing else: the runtime's own calls shift the numbers now and then. */
async function attempt(scenario: Scenario, fault: Fault | null) {
  let noise = 0
  for (let tries = 0; tries < TRIES; tries++) {
    if (!tracee.alive) tracee = await Tracee.start()
    const dir = scenario.plant()
    const before = treeOf(dir.path)
    const faults = fault === null ? scenario.always : [...scenario.always, `${fault.at.name}:${fault.what}:when=${fault.at.nth + noise}${fault.lasting ? "+" : ""}`]
    const run = await tracee.run(await requestFor(scenario, dir.path), faults, traceFile)
    if ((!run.strayed || fault?.lasting === true) && isHit(scenario, fault, run.calls) && (fault !== null || run.response?.code === scenario.refused)) return { dir, before, after: treeOf(dir.path), ...run, [Symbol.dispose]: () => dir[Symbol.dispose]() }
    noise = run.noise.get(fault?.at.name ?? "") ?? 0
    dir[Symbol.dispose]()
  }
  throw new Error(`${scenario.name}: no run in which ${fault?.what ?? "what it needs"} was hit at ${fault?.at.line ?? "its call"}`)
}

async function requestFor({ call }: Scenario, root: string): Promise<Request> {
  const guarded = call.service === "serverfs" && existsSync(`${root}/${call.path}`)
  return { root, call, revision: guarded ? await mutating(root).revision(call.path) : "" }
}

/** A call that was failed is marked as such; one before which the process died has no result. */
function isHit({ always }: Scenario, fault: Fault | null, calls: readonly Traced[]): boolean {
  if (fault === null) return always.every((each) => calls.some(({ name, line }) => each.startsWith(`${name}:`) && line.includes("(INJECTED)")))
  const call = calls.find(({ name, nth }) => name === fault.at.name && nth === fault.at.nth)
  return call !== undefined && (fault.what.startsWith("signal") ? UNFINISHED.test(call.line) : call.line.includes("(INJECTED)"))
}

class Row {
  runs = 0
  succeeded = 0
  refused = 0
  killed = 0
  wrong: string[] = []
}

async function failOne(scenario: Scenario, fault: Fault, done: Tree, row: Row): Promise<void> {
  using run = await attempt(scenario, fault)
  const { response, before, after, dir } = run
  row.runs++
  const where = `${scenario.name}: ${fault.what}${fault.lasting ? " from there on" : ""} at ${fault.at.line}`
  const verdict = response === null ? "the process ended" : judgeFailed(scenario, response, dir.path, { before, after, done }, fault)
  if (run.leaked !== 0) row.wrong.push(`${where}: ${run.leaked} descriptors more`)
  if (response?.code === null) row.succeeded++
  else row.refused++
  if (verdict !== null) row.wrong.push(`${where}: ${verdict}`)
}

async function killAt(scenario: Scenario, target: Traced, done: Tree, row: Row): Promise<void> {
  using run = await attempt(scenario, { at: target, what: "signal=SIGKILL", lasting: false })
  row.runs++
  row.killed++
  const where = `${scenario.name}: killed at ${target.line}`
  const { before, after, dir } = run
  if (run.response !== null) row.wrong.push(`${where}: it lived on`)
  const verdict = judgeKilled(scenario, { before, after, done }) ?? (await judgeRestart(scenario, dir.path, before, after, done))
  if (verdict !== null) row.wrong.push(`${where}: ${verdict}`)
}

/** Who serves the tree after a kill finds nothing but what is there, and can go on with it. */
async function judgeRestart(scenario: Scenario, root: string, before: Tree, after: Tree, done: Tree): Promise<string | null> {
  const files = filesIn(root)
  const listed = (await files.list(".", 99)).entries.map(({ path }) => path.slice(root.length + 1))
  const found = (await files.search(".")).matches.map((path) => path.slice(root.length + 1))
  // Neither enters another filesystem.
  const visible = [...after.entries.keys()].filter((name) => !name.startsWith("m/"))
  for (const names of [listed, found]) if (names.sort().join() !== visible.sort().join()) return `listed: ${names.join()}`
  if (same(after, before)) {
    const again = await perform(await requestFor(scenario, root))
    return again.code === scenario.refused && same(treeOf(root), done) ? null : `then again: ${again.message}`
  }
  const { call } = scenario
  const path = call.service === "files" && call.dst !== "" ? call.dst : call.path
  const made = same(after, done) && done.entries.has(path) && lstatSync(join(root, path)).isFile()
  if (!made || call.tool === "edit_text_file") return null
  // A second name of ours that the kill left is no hindrance, and is gone then.
  const changed = call.service === "files" ? files.update(path) : mutating(root).edit(path, [edit("new", "newer")])
  const outcome = await changed.then(() => treeOf(root), String)
  if (typeof outcome === "string") return `then changed: ${outcome}`
  return outcome.reserved > 0 ? "a name is left after the next change" : null
}

async function sweep(scenario: Scenario): Promise<Row> {
  const row = new Row()
  using clean = await attempt(scenario, null)
  const done = clean.after
  const preset = new Set(scenario.always.map((fault) => fault.split(":")[0]))
  // strace takes one fault a call name: where the scenario needs one of its own, that name is left to the other scenarios.
  const targets = clean.calls.filter(({ name }) => OURS.has(name) && !preset.has(name))
  for (const at of targets) {
    if (!KILL_ONLY.has(at.name)) {
      for (const errno of ERRNOS) await failOne(scenario, { at, what: `error=${errno}`, lasting: false }, done, row)
      if (!ONCE_ONLY.has(at.name)) await failOne(scenario, { at, what: "error=EIO", lasting: true }, done, row)
    }
    await killAt(scenario, at, done, row)
  }
  return row
}

const COLUMNS = ["runs", "succeeded all the same", "refused", "killed", "wrong"]
const line = (name: string, { runs, succeeded, refused, killed, wrong }: Row): string => `| ${[name, runs, succeeded, refused, killed, wrong.length].join(" | ")} |`

const only = process.argv[2]
const all = new Row()
console.log(`| path | ${COLUMNS.join(" | ")} |\n|${"---|".repeat(COLUMNS.length + 1)}`)
for (const scenario of [...SERVERFS, ...FILES].filter(({ name }) => only === undefined || name.includes(only))) {
  const row = await sweep(scenario)
  for (const key of ["runs", "succeeded", "refused", "killed"] as const) all[key] += row[key]
  all.wrong.push(...row.wrong)
  console.log(line(scenario.name, row))
  for (const each of row.wrong) console.error(each)
}
console.log(line("all", all))

await tracee[Symbol.asyncDispose]()
work[Symbol.dispose]()
process.exit(all.wrong.length === 0 ? 0 : 1)
