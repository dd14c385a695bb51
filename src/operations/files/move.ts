/** move: one rename inside a filesystem; between two of them, copy, then delete. */
import { ERRORS, ToolError } from "../../errors.ts"
import { clockOf } from "../../fs/clock.ts"
import { E, refusal } from "../../fs/errno.ts"
import { openRegular } from "../../fs/file.ts"
import { sameMetadata } from "../../fs/publish/metadata.ts"
import { assertUnchanged } from "../../fs/publish/unchanged.ts"
import { removeFile } from "../../fs/remove.ts"
import { renameNew, renameOver, renameOverLink } from "../../fs/rename.ts"
import { statAt } from "../../fs/stat.ts"
import { changedSince } from "../../fs/tree/remove.ts"
import { dropTwins } from "../../fs/twin.ts"
import { syncDirectory } from "../../fs/write.ts"
import { revisionOf } from "../../workdir/revision.ts"
import type { Call, Directory, Operation } from "../operation.ts"
import { copyEntry } from "./copy-entry.ts"
import { type Ends, type EndsInput, openEnds } from "./ends.ts"
import { absolute } from "./entry.ts"
import { locked } from "./in-turn.ts"
import { withOriginal } from "./overwrite-file.ts"
import { removeInSlices } from "./remove-in-slices.ts"
import type { OperationResult } from "./result.ts"

export const filesMove: Operation<EndsInput, OperationResult<"MOVED">> = async (directory, input, call) => {
  const renamed = await locked(call, () => {
    using ends = openEnds(directory, input, "keep", "changing")
    return rename(ends, call) ? moved(directory, ends) : null
  })
  if (renamed !== null) return renamed
  using ends = openEnds(directory, input, "keep", "changing")
  const since = clockOf(ends.from.dir, ends.from.given)
  await copyEntry(directory, ends, call)
  await removeSource(ends, since, call).catch(butCopied)
  return moved(directory, ends)
}

function moved(directory: Directory, { to }: Ends): OperationResult<"MOVED"> {
  return { path: absolute(directory, to.named), status: "MOVED", size: null }
}

/** False when no rename can do it. */
function rename(ends: Ends, call: Call): boolean {
  const { from, to, stat } = ends
  dropTwins(from, stat, from.given)
  const status = attempt(ends)
  if (status === -E.EXDEV) return false
  if (status < 0) throw refusal(status, to.given, "changing")
  syncDirectory(to.dir, to.given, call.log.bind(call))
  syncDirectory(from.dir, from.given, call.log.bind(call))
  return true
}

/** 0 or -errno; EXDEV also when the file must become another to keep what the old one had. */
function attempt({ from, to, stat, way }: Ends): number {
  switch (way()) {
    case "new": return renameNew(from, to, stat.type)
    case "for a directory": return renameOver(from, to)
    case "for a link": return stat.type === "directory" ? renameOverLink(from, to) : renameOver(from, to)
    case "for a file":
      return withOriginal(to, (original) => {
        if (stat.type === "file") {
          using coming = openRegular(from, from.given, "changing")
          if (!sameMetadata(coming, original)) return -E.EXDEV
        }
        assertUnchanged(to, original.stat, to.given)
        return renameOver(from, to)
      })
  }
}

/** What changed since it was copied stays, and the call says so. @param since ctime, ns */
async function removeSource({ from, stat }: Ends, since: bigint, call: Call): Promise<void> {
  if (stat.type === "directory") {
    await removeInSlices(from, { given: from.given, unchangedSince: since }, call)
    return syncDirectory(from.dir, from.given, call.log.bind(call))
  }
  await locked(call, () => {
    const now = statAt(from.dir, from.leaf)
    if (typeof now === "number" || revisionOf(now) !== revisionOf(stat)) throw changedSince(from.given)
    removeFile(from, from.given, call.log.bind(call))
  })
}

/** A failure now leaves both, and the caller must know. */
function butCopied(error: unknown): never {
  if (!(error instanceof ToolError)) throw error
  const { code, about } = error
  throw new ToolError(code, { ...about, detail: `${about.detail ?? ERRORS[code].sentence}; the copy at dst is complete` })
}
