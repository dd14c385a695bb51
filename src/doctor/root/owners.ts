import { lstatSync, opendirSync } from "node:fs"
import { join } from "node:path"
import { about, type Finding } from "../finding.ts"
import type { Target } from "./target.ts"

const LOOKED_AT = 200

/** An edit gives the new file the old one's owner, which only root may do when that is somebody else. */
export function checkOwners({ name, path, writable }: Target): Finding[] {
  const { ok, warning } = about("owners", name)
  const uid = process.geteuid?.()
  if (!writable || uid === 0) return []
  const { seen, foreign } = count(path, uid)
  if (foreign === 0) return [ok(`the ${seen} entries looked at belong to this user`)]
  return [warning(
    `${foreign} of ${seen} entries belong to other users: editing such a file is METADATA_PRESERVATION_FAILED`,
    `chown -R ${uid} ${JSON.stringify(path)}, or run serverfs as their owner`,
  )]
}

function count(path: string, uid: number | undefined): { seen: number; foreign: number } {
  const listing = opendirSync(path)
  let seen = 0, foreign = 0
  for (let entry = listing.readSync(); entry !== null && seen < LOOKED_AT; entry = listing.readSync()) {
    seen++
    if (lstatSync(join(path, entry.name), { throwIfNoEntry: false })?.uid !== uid) foreign++
  }
  listing.closeSync()
  return { seen, foreign }
}
