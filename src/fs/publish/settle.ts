/** What follows a publication that everybody can see: nothing here may say that it did not happen. */
import { ToolError } from "../../errors.ts"
import { strerror } from "../errno.ts"
import type { Fd } from "../fd.ts"
import { type Stat, statOf } from "../stat.ts"
import { type Log, syncDirectory } from "../write.ts"

/** Flushes the directory and looks at the published file, so that its revision is the one that the next stat shows; -errno when the look fails. */
export function settle(dir: Fd, published: Fd, given: string, log: Log): Stat | number {
  syncDirectory(dir, given, log)
  return statOf(published)
}

/** A look after the fact, for who needs the revision. Throws MUTATION_IO_ERROR that says what was done. */
export function afterwards(stat: Stat | number, given: string): Stat {
  if (typeof stat !== "number") return stat
  throw new ToolError("MUTATION_IO_ERROR", { path: given, detail: `the change was made, but its revision could not be read (${strerror(-stat)})`, advice: "call stat_file for it" })
}
