import { statfsSync } from "node:fs"
import { about, type Finding } from "../finding.ts"
import type { Target } from "./target.ts"

interface Kind {
  readonly name: string
  readonly concern?: "remote" | "poor"
}

/** f_type of statfs(2), linux/magic.h. */
const KINDS: Readonly<Record<number, Kind>> = {
  0xef53: { name: "ext4" },
  0x58465342: { name: "XFS" },
  0x9123683e: { name: "Btrfs" },
  0x2fc12fc1: { name: "ZFS" },
  0xf2f52010: { name: "F2FS" },
  0xca451a4e: { name: "bcachefs" },
  0x01021994: { name: "tmpfs" },
  0x858458f6: { name: "ramfs" },
  0x794c7630: { name: "overlayfs" },
  0x73717368: { name: "SquashFS" },
  0x9660: { name: "ISO 9660" },
  0x6969: { name: "NFS", concern: "remote" },
  0xff534d42: { name: "CIFS", concern: "remote" },
  0xfe534d42: { name: "SMB 2", concern: "remote" },
  0x00c36400: { name: "CephFS", concern: "remote" },
  0x01021997: { name: "9P", concern: "remote" },
  0x65735546: { name: "FUSE", concern: "remote" },
  0x4d44: { name: "FAT", concern: "poor" },
  0x2011bab0: { name: "exFAT", concern: "poor" },
  0x7366746e: { name: "NTFS", concern: "poor" },
}

/** The type of the filesystem, and what is known to be weak about it. */
export function checkFilesystem({ name, path, writable }: Target): Finding {
  const { ok, warning } = about("filesystem", name)
  const type = statfsSync(path).type
  const kind = KINDS[type] ?? { name: `of type 0x${type.toString(16)}` }
  if (kind.concern === "remote") {
    return warning(
      `is ${kind.name}, whose server may stop answering: calls here then end with WORKDIR_UNAVAILABLE`,
      "prefer a local file system for what is written; nothing else is affected by one that hangs",
    )
  }
  if (kind.concern === "poor" && writable) {
    return warning(`is ${kind.name}, which keeps neither modes nor owners`, "keep it read-only, or move what is written to ext4, XFS or Btrfs")
  }
  return ok(`is ${kind.name}`)
}
