import { Root } from "../../fs/root.ts"
import { type Capabilities, type Capability, probeCapabilities } from "../../fs/capabilities.ts"
import { about, type Finding } from "../finding.ts"
import type { Target } from "./target.ts"

interface Guarantee {
  readonly works: string
  readonly level: "ok" | "warning" | "error"
  /** What it means that it does not work; the system's word is put behind it. */
  readonly fails: string
}

const FIX = "move what is written to ext4, XFS, Btrfs or tmpfs, or configure this directory as read-only"

const GUARANTEES: Readonly<Record<Capability, Guarantee>> = {
  nameless: { works: "new files have no name until they are whole (O_TMPFILE)", level: "ok", fails: "new files are made under a reserved name, which a kill leaves behind: no O_TMPFILE" },
  links: { works: "a new file never replaces another (link)", level: "warning", fails: "there are no hard links, so a create must rename without replacing" },
  noReplace: { works: "a move never replaces what it should not (renameat2)", level: "warning", fails: "a move cannot be kept from replacing" },
  xattrs: { works: "extended attributes can be kept", level: "ok", fails: "there are no extended attributes to keep" },
  fileSync: { works: "a file is on the disk before it is published (fsync)", level: "error", fails: "a file cannot be flushed, so every change is refused" },
  directorySync: { works: "a published name survives a crash (fsync)", level: "warning", fails: "a directory cannot be flushed, so a change may be lost in a crash" },
  changeTime: { works: "every change shows in the revision (ctime)", level: "error", fails: "ctime cannot be relied on, so a change may go unnoticed" },
  inodes: { works: "a file keeps its number (inode)", level: "error", fails: "inode numbers do not hold, so revisions change by themselves" },
}

/** Tries in a writable root what publication and revisions rely on. A read-only root is not written to. */
export function checkGuarantees({ name, path, writable }: Target): Finding[] {
  if (!writable) return []
  using root = Root.open(path)
  return judge(name, probeCapabilities(root))
}

/** What the shortcomings mean, taken together: a create needs one of two ways not to replace. */
export function judge(name: string, shortcomings: Capabilities): Finding[] {
  const { error } = about("guarantees", name)
  const findings = Object.entries(GUARANTEES).map(([capability, guarantee]) => finding(name, guarantee, shortcomings[capability as Capability]))
  if (shortcomings.links === null || shortcomings.noReplace === null) return findings
  return [...findings, error("nothing keeps a create from replacing a file that appears meanwhile", FIX)]
}

function finding(name: string, { works, level, fails }: Guarantee, shortcoming: string | null): Finding {
  const { ok, warning, error } = about("guarantees", name)
  if (shortcoming === null) return ok(works)
  const message = `${fails} (${shortcoming})`
  return level === "ok" ? ok(message) : level === "warning" ? warning(message, FIX) : error(message, FIX)
}
