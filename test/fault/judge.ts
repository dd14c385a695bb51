/** What the answer and the tree must be after a system call that failed, and the tree after a kill. Each returns what is wrong, or null. */
import { ERRORS } from "../../src/errors.ts"
import type { Response } from "./messages.ts"
import type { Scenario } from "./scenario.ts"
import type { Traced } from "./tracee.ts"
import { isRemoving, same, type Tree } from "./tree.ts"

/** strace's own words: error=EIO, signal=SIGKILL; "+" after the number = and every later call of that name. */
export interface Fault {
  readonly at: Traced
  readonly what: string
  readonly lasting: boolean
}

export interface Trees {
  readonly before: Tree
  readonly after: Tree
  /** As the call without a fault leaves it. */
  readonly done: Tree
}

/** How a message says that a failure came after the change, and how that it came before its end. */
const MADE_ALL_THE_SAME = "the change was made"
const COPIED = "the copy at dst is complete"

export function judgeFailed(scenario: Scenario, response: Response, root: string, trees: Trees, fault: Fault): string | null {
  const { code, message, logged } = response
  const { before, after, done } = trees
  if (code !== null && (!(code in ERRORS) || code === "INTERNAL_ERROR" || code === "CRASH")) return `code ${code}: ${message}`
  if (message.includes(root) || message.includes(".serverfs-tmp")) return `message ${message}`
  if (code === null && scenario.refused !== null) return "it succeeded"
  const state = judgeState(scenario, response, trees, fault)
  if (state !== null) return state
  const unflushed = code === null && fault.at.name === "fsync" && !(fault.what.endsWith("EINTR") && !fault.lasting)
  if (logged.includes("directory_fsync_failed") !== unflushed) return `logged: ${logged.join()}`
  if (fault.lasting) return null
  const allowed = fault.at.name === "unlinkat" ? before.reserved + 1 : Math.max(code === null ? 0 : before.reserved, done.reserved)
  return after.reserved > allowed ? `${after.reserved} temporary names` : null
}

function judgeState(scenario: Scenario, { code, message, removed }: Response, trees: Trees, { lasting }: Fault): string | null {
  const { before, after, done } = trees
  if (code === null || message.includes(MADE_ALL_THE_SAME)) return same(after, done) ? null : `${code ?? "success"}, and the tree is not the new one`
  if (isLeft(scenario, trees) && lasting) return null
  if (scenario.between === null || (removed === 0 && !message.includes(COPIED))) return same(after, before) ? null : `${code}, and the tree is not the old one: ${message}`
  if (!isRemoving(before, done, after)) return `${code}, and the tree is neither`
  const copied = [...done.entries.keys()].filter((name) => !before.entries.has(name)).length
  const temps = Math.max(0, after.reserved - before.reserved)
  const gone = before.count + copied + temps - after.count
  return gone === removed || same(after, done) ? null : `${code}: ${gone} gone, and the answer says ${removed}`
}

export function judgeKilled(scenario: Scenario, { before, after, done }: Trees): string | null {
  const between = scenario.between === "removing" && isRemoving(before, done, after)
  if (!same(after, before) && !same(after, done) && !between && !isLeft(scenario, { before, after, done })) return "neither the old tree nor the new one"
  return after.reserved > before.reserved + 1 ? `${after.reserved} temporary names` : null
}

function isLeft({ killed }: Scenario, { before, after, done }: Trees): boolean {
  const keeps = (tree: Tree): boolean => [...tree.entries].every(([name, entry]) => after.entries.get(name) === entry)
  if (killed === "two names") return keeps(before) && keeps(done)
  if (killed === "the link at src") return keeps(done) && after.entries.size === done.entries.size + 1
  return killed === "an empty directory" && keeps(before) && after.entries.size === before.entries.size + 1
}
