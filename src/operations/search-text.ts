/** search_text: ripgrep proposes where a match may be; the lane reads what is there, through its own walk. */
import { ToolError } from "../errors.ts"
import { refusal } from "../fs/errno.ts"
import { statAt } from "../fs/stat.ts"
import { JsonText } from "../json-text.ts"
import { isVersionControl, ripgrepArgs, type SearchQuery } from "../search/args.ts"
import { heldUpAt } from "../search/ignore-files.ts"
import { RecordParser } from "../search/parse.ts"
import { Ripgrep } from "../search/ripgrep.unsafe.ts"
import { byCodePoint } from "../workdir/order.ts"
import { parsePath } from "../workdir/relpath.ts"
import type { Call, Operation } from "./operation.ts"
import { HeldUp } from "./search-text/held-up.ts"
import { needleFor } from "./search-text/needle.ts"
import { ProposalReader, type SearchMatch } from "./search-text/proposal-reader.ts"

export interface SearchTextInput extends SearchQuery {
  readonly path: string
  readonly limit: number
  readonly contextLines: number
}

export interface SearchTextOutput {
  /** Sorted by path, then by line. */
  readonly matches: JsonText<SearchMatch[]>
  readonly truncated: boolean
  /** Files and directories that ripgrep could not open, as far as it came. */
  readonly unreadable: number
}

/** Room for matching lines of one file that can't be shown (they are not UTF-8), before the answer must admit to a gap. */
const SPARE_LINES_PER_FILE = 1000
/**
 * UTF-16 units of text in one answer, more than twice what a hundred lines of the longest come to: beyond it, context lines would make 16 MB, which
 * holds up everybody (measured) and no model reads. Then, too, the answer says that there is more.
 */
export const MAX_UNITS = 1_048_576
/** Kept back of the call's time, so that a search that runs out of it can still answer with what it found. */
const GRACE_MS = 500
const BEAT_MS = 500

export const searchText: Operation<SearchTextInput, SearchTextOutput> = async (directory, input, call) => {
  const { policy, root, settings: { limits, ripgrep: program } } = directory
  const at = policy.admit(parsePath(input.path))
  using dir = root.directory(at)
  if (at.components.some(isVersionControl)) return { matches: JsonText.of<SearchMatch[]>([]), truncated: false, unreadable: 0 }
  // ripgrep has to enter it, for which the right to read it is not enough.
  const entered = statAt(dir, ".")
  if (typeof entered === "number") throw refusal(entered, at.given, "reading")
  const maxLinesPerFile = input.limit + 1 + SPARE_LINES_PER_FILE
  const maxFileBytes = limits.searchMaxFileBytes
  const args = ripgrepArgs(input, policy, { maxFileBytes, maxLinesPerFile })
  const timeoutMs = Math.min(limits.searchTimeoutMs, call.remainingMs() - GRACE_MS)
  await using ripgrep = Ripgrep.start({ program, args, maxFileBytes, cwd: dir.procPath, signal: call.signal, timeoutMs })
  using _beat = beat(call, timeoutMs)
  const breathe = async (): Promise<void> => {
    await call.breathe()
    if (ripgrep.timedOut) throw new Expired()
  }
  using heldUp = new HeldUp(ripgrep, async (proceed) => input.includeIgnored ? null : heldUpAt(dir, at.given, policy, async () => {
    await call.breathe()
    proceed()
  }))
  using reader = new ProposalReader(directory, at, input.contextLines, needleFor(input), breathe)
  const { matches, full, gap } = await collect(ripgrep, reader, input.limit, maxLinesPerFile)
  if (!full) await assertSearched(ripgrep, input, matches.length, heldUp.culprit, call)
  matches.sort((a, b) => byCodePoint(a.path, b.path) || a.line - b.line)
  return { matches: JsonText.of(matches), truncated: full || gap || ripgrep.timedOut || heldUp.culprit !== null, unreadable: ripgrep.complaints.unreadable }
}

/** The search's own deadline has passed while a line was read. */
class Expired extends Error {}

interface Collected {
  readonly matches: SearchMatch[]
  /** It stopped at the first visible match beyond the limit, or with an answer that is as long as it may be. */
  readonly full: boolean
  /** A file may hold matches that ripgrep was told to leave. */
  readonly gap: boolean
}

async function collect(ripgrep: Ripgrep, reader: ProposalReader, limit: number, maxLinesPerFile: number): Promise<Collected> {
  const matches: SearchMatch[] = []
  const records = new RecordParser()
  let file = ""
  let linesOfFile = 0
  let gap = false
  let units = 0
  try {
    for await (const chunk of ripgrep.output) {
      const proposals = records.push(chunk)
      // Most likely the last that are needed.
      const last = proposals.length > limit - matches.length
      if (last) ripgrep.pause()
      for (const proposal of proposals) {
        linesOfFile = proposal.path === file ? linesOfFile + 1 : 1
        file = proposal.path
        gap ||= linesOfFile === maxLinesPerFile
        const match = await reader.read(proposal)
        if (match === null) continue
        if (matches.length === limit || units > MAX_UNITS) return { matches, full: true, gap }
        matches.push(match)
        units += unitsOf(match)
      }
      if (last) ripgrep.resume()
    }
  } catch (error) {
    if (!(error instanceof Expired)) throw error
  }
  return { matches, full: false, gap }
}

function unitsOf({ path, text, before, after }: SearchMatch): number {
  return [path, text, ...before, ...after].reduce((sum, each) => sum + each.length, 0)
}

/** Throws unless ripgrep has searched: to its end, or until it was stopped with something found. */
async function assertSearched(ripgrep: Ripgrep, input: SearchTextInput, found: number, culprit: string | null, call: Call): Promise<void> {
  const status = await ripgrep.exited()
  if ((ripgrep.timedOut || culprit !== null) && found > 0) return
  if (culprit !== null) throw new ToolError("SEARCH_FAILED", { path: [input.path, culprit].filter((part) => part !== "").join("/"), detail: "an ignore file in this directory is no regular file, and seems to hold up the search", advice: "call again with include_ignored=true, or search elsewhere" })
  if (ripgrep.timedOut) throw new ToolError("SEARCH_TIMEOUT", { path: input.path === "" ? undefined : input.path })
  call.check()
  const refusal = ripgrep.complaints.refusal
  if (refusal !== null) throw new ToolError("INVALID_ARGUMENTS", { detail: `${refusal.argument}: ${refusal.reason}` })
  // 2 is also what it says when it could not open one of the files.
  if (status === 0 || status === 1 || (status === 2 && ripgrep.complaints.areAboutFiles)) return
  call.log("search_failed", { status })
  throw new ToolError("SEARCH_FAILED")
}

/** ripgrep does not say how far it is, so a client that asked hears how much of the time has gone, in seconds. */
function beat(call: Call, timeoutMs: number): Disposable {
  const start = performance.now()
  const seconds = (ms: number) => Math.round(ms / 100) / 10
  const timer = setInterval(() => call.progress(seconds(performance.now() - start), seconds(timeoutMs)), BEAT_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
