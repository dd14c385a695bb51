import { statfsSync } from "node:fs"
import { about, type Finding } from "../finding.ts"
import type { Target } from "./target.ts"

const MIB = 1_048_576
const LEAST_BYTES = 100 * MIB
const LEAST_FILES = 1_000

/** Room for this user where files are written: bytes, and names where the filesystem counts them. */
export function checkSpace({ name, path }: Target): Finding {
  const { ok, warning } = about("space", name)
  const { bavail, bsize, files, ffree } = statfsSync(path)
  const free = bavail * bsize
  if (free < LEAST_BYTES) return warning(`${Math.floor(free / MIB)} MiB are free`, "make room: a full disk refuses every change")
  if (files > 0 && ffree < LEAST_FILES) return warning(`${ffree} inodes are free`, "remove files: without inodes nothing can be created")
  return ok(`${Math.floor(free / MIB)} MiB are free`)
}
