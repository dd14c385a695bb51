import { about, type Finding } from "../finding.ts"

/** Whose rights the gateway will have: those of whoever runs doctor. */
export function checkProcess(): Finding {
  const { ok, warning } = about("process")
  const uid = process.geteuid?.() ?? null
  if (uid !== 0) return ok(`runs as user ${uid}`)
  return warning("runs as root, so that file modes protect nothing", "run doctor and the gateway as an ordinary user that owns what may be written")
}
