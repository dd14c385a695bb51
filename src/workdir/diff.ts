/** A unified diff made from what the edits did, so it needs no search for a best one: linear on any file. */
import type { Kept } from "./kept.ts"
import { Lines } from "./lines.ts"

/** Lines `old` … `oldEnd` gave way to lines `fresh` … `freshEnd`; from 0, ends excluded. */
interface Change {
  readonly old: number
  readonly oldEnd: number
  readonly fresh: number
  readonly freshEnd: number
}

const CONTEXT = 3

/**
 * The diff in the form that patch(1) reads; "" when nothing changed.
 * @param before,after well-formed UTF-8, with its BOM: patch(1) compares bytes
 * @param kept what of `before` lives on in `after`, in order
 */
export function unifiedDiff(path: string, before: Buffer, after: Buffer, kept: readonly Kept[]): string {
  const old = new Lines(before), fresh = new Lines(after)
  const changes = changesBetween(old, fresh, kept)
  if (changes.length === 0) return ""
  const out = [`--- ${quoted(`a/${path}`)}`, `+++ ${quoted(`b/${path}`)}`]
  for (const hunk of hunksOf(changes)) write(hunk, old, fresh, out)
  return `${out.join("\n")}\n`
}

/** What lies between the whole lines that live on, less the equal lines at its ends. */
function changesBetween(old: Lines, fresh: Lines, kept: readonly Kept[]): Change[] {
  const changes: Change[] = []
  let oldAt = 0, freshAt = 0
  const close = (oldEnd: number, freshEnd: number) => {
    const change = trimmed({ old: oldAt, oldEnd, fresh: freshAt, freshEnd }, old, fresh)
    if (change.old < change.oldEnd || change.fresh < change.freshEnd) changes.push(change)
  }
  for (const run of kept) {
    // From the first line that begins inside the run, or with it on both sides, to the last that also ends inside it.
    const begins = old.startsAt(run.from) && fresh.startsAt(run.at)
    const first = old.lineFrom(begins ? run.from : run.from + 1)
    const atEnd = run.from + run.length === old.size && run.at + run.length === fresh.size
    const end = atEnd ? old.count : old.endedBy(run.from + run.length)
    if (end <= first) continue
    const freshFirst = fresh.lineHolding(run.at + old.startOf(first) - run.from)
    close(first, freshFirst)
    oldAt = end
    freshAt = freshFirst + end - first
  }
  close(old.count, fresh.count)
  return changes
}

function trimmed({ old: oldStart, oldEnd: oldStop, fresh: freshStart, freshEnd: freshStop }: Change, before: Lines, after: Lines): Change {
  let old = oldStart, fresh = freshStart, oldEnd = oldStop, freshEnd = freshStop
  while (old < oldEnd && fresh < freshEnd && before.same(old, after, fresh)) { old++; fresh++ }
  while (old < oldEnd && fresh < freshEnd && before.same(oldEnd - 1, after, freshEnd - 1)) { oldEnd--; freshEnd-- }
  return { old, oldEnd, fresh, freshEnd }
}

/** Changes whose contexts touch share a hunk. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = []
  for (const change of changes) {
    const hunk = hunks.at(-1)
    const before = hunk?.at(-1)
    if (hunk !== undefined && before !== undefined && change.old - before.oldEnd <= 2 * CONTEXT) hunk.push(change)
    else hunks.push([change])
  }
  return hunks
}

function write(hunk: readonly Change[], old: Lines, fresh: Lines, out: string[]): void {
  const first = hunk[0], last = hunk.at(-1)
  if (first === undefined || last === undefined) return
  const lead = Math.min(CONTEXT, first.old)
  const tail = Math.min(CONTEXT, old.count - last.oldEnd)
  const oldRange = range(first.old - lead, last.oldEnd + tail), freshRange = range(first.fresh - lead, last.freshEnd + tail)
  out.push(`@@ -${oldRange} +${freshRange} @@`)
  let shown = first.old - lead
  for (const change of hunk) {
    old.write(" ", shown, change.old, out)
    old.write("-", change.old, change.oldEnd, out)
    fresh.write("+", change.fresh, change.freshEnd, out)
    shown = change.oldEnd
  }
  old.write(" ", shown, shown + tail, out)
}

/** An empty range names the line before it. */
function range(start: number, end: number): string {
  const count = end - start
  return `${count === 0 ? start : start + 1},${count}`
}

/** As git does: quoted where the name would break the line, and with a TAB behind it where it has blanks, at the first of which patch(1) would stop. */
function quoted(name: string): string {
  if (/[\x00-\x1f\x7f"\\]/.test(name)) return JSON.stringify(name)
  return name.includes(" ") ? `${name}\t` : name
}
