/** The copying of one entry, whatever it is, from one place to another: it appears whole or not at all. */
import { copyAttributes } from "../../fs/copy/attributes.ts"
import { copyContent } from "../../fs/copy/content.ts"
import { publishLink } from "../../fs/copy/link.ts"
import { refusal } from "../../fs/errno.ts"
import { fstat, openRegular } from "../../fs/file.ts"
import { openFollowed } from "../../fs/follow.ts"
import { publishCopy, publishCopyFor, publishCopyOver } from "../../fs/publish/copied-file.ts"
import { TempDirectory } from "../../fs/publish/temp-directory.ts"
import { NamedTemp, refuseAppendOnly } from "../../fs/publish/temp.ts"
import { renameNew, renameOver, renameOverLink } from "../../fs/rename.ts"
import { copyTree } from "../../fs/tree/copy.ts"
import { sync, syncDirectory } from "../../fs/write.ts"
import type { Call, Directory } from "../operation.ts"
import type { Ends } from "./ends.ts"
import { assertEmpty } from "./give-way.ts"
import { inTurn, locked } from "./in-turn.ts"
import { withOriginal } from "./overwrite-file.ts"

/** Nobody else may read a copy before it has its mode. */
const PRIVATE = 0o600

/** Only the publication itself is under the mutation lock. Returns the bytes of a file, null for anything else. */
export async function copyEntry(directory: Directory, ends: Ends, call: Call): Promise<number | null> {
  switch (ends.stat.type) {
    case "directory": return copyDirectory(directory, ends, call)
    case "symlink": return copySymlink(ends, call)
    default: return copyFile(ends, call)
  }
}

async function copyFile({ from, to, way }: Ends, call: Call): Promise<number> {
  const log = call.log.bind(call)
  using source = openRegular(from, from.given, "changing")
  using temp = NamedTemp.create(to.dir, PRIVATE, to.given)
  for (const _ of copyContent(source.fd, Number(source.stat.size), temp.fd, to.given)) await call.breathe()
  copyAttributes(source.fd, source.stat, temp.fd, from.given)
  await inTurn(() => sync(temp.fd, to.given))
  const { size } = fstat(temp.fd, to.given, "changing")
  await locked(call, () => {
    switch (way()) {
      case "new": return publishCopy(temp, to, to.given, log)
      case "for a file": return withOriginal(to, (original) => publishCopyFor(temp, to, original, source.stat, to.given, log))
      default: return publishCopyOver(temp, to, to.given, log)
    }
  })
  return Number(size)
}

async function copyDirectory(directory: Directory, { from, to, way }: Ends, call: Call): Promise<null> {
  // The kernel decides when the time comes; looking first spares the work when the answer is known.
  if (way() === "for a directory") assertEmpty(directory, to)
  // The caller may have gone, or the time be up: what was begun is thrown away all the same.
  await using temp = new TempDirectory(to.dir, to.given, () => call.breathe().catch(() => undefined))
  using source = openFollowed(directory, from)
  using copy = temp.open()
  for (const copied of copyTree(source, copy, { given: from.given, refuses: (name) => directory.policy.refuses(name) })) {
    call.progress(copied)
    await call.breathe()
  }
  await inTurn(() => temp.sync())
  await locked(call, () => {
    const how = way()
    temp.publish((made) => {
      if (how === "new") return renameNew(made, to, "directory")
      return how === "for a link" ? renameOverLink(made, to) : renameOver(made, to)
    })
  })
  syncDirectory(to.dir, to.given, call.log.bind(call))
  return null
}

async function copySymlink({ from, to, way }: Ends, call: Call): Promise<null> {
  await locked(call, () => {
    refuseAppendOnly(to.dir, to.given)
    const how = way()
    const publish = () => publishLink(from, to.dir, (made) => (how === "new" ? renameNew(made, to, "symlink") : renameOver(made, to)))
    const status = how === "for a file" ? withOriginal(to, publish) : publish()
    if (status < 0) throw refusal(status, to.given, "changing")
  })
  syncDirectory(to.dir, to.given, call.log.bind(call))
  return null
}
