/** Directories that a walk closes on its way down, and opens again on its way up: the very same ones, or none. */
import { ToolError } from "../../errors.ts"
import { type Doing, E, refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { O } from "../flags.ts"
import { openat } from "../libc.unsafe.ts"
import { statOf } from "../stat.ts"

/** Directories held open, counted from where the walk stands; those further up are closed until the walk comes back. */
export const HELD = 8

/** Nothing there any more, or something else. */
const GONE = new Set([E.ENOENT, E.ENOTDIR, E.ELOOP].map((errno) => -errno))

/** A directory that was closed. */
export interface Which {
  readonly dev: bigint
  readonly ino: bigint
}

/** @param given the path as the caller wrote it, for errors */
export function whichOf(dir: Fd, given: string, doing: Doing): Which {
  const stat = statOf(dir)
  if (typeof stat === "number") throw refusal(stat, given, doing)
  return { dev: stat.dev, ino: stat.ino }
}

/**
 * Opens `name` in `dir` as the directory that was closed. By the kernel's own `..` a walk gets up in one step, where going
 * down again from the top would make a deep tree quadratic; but it leads out of the tree when the directory was moved
 * meanwhile. Throws READ_IO_ERROR or MUTATION_IO_ERROR when it is another.
 */
export function openAgain(dir: Fd, name: string, closed: Which, given: string, doing: Doing): Fd {
  const number = openat(dir.number, name, O.RDONLY | O.DIRECTORY | O.NOFOLLOW)
  if (number < 0) throw GONE.has(number) ? moved(given, doing) : refusal(number, given, doing)
  const opened = Fd.own(number)
  const stat = statOf(opened)
  if (typeof stat !== "number" && stat.dev === closed.dev && stat.ino === closed.ino) return opened
  opened[Symbol.dispose]()
  throw moved(given, doing)
}

function moved(given: string, doing: Doing): ToolError {
  return new ToolError(doing === "reading" ? "READ_IO_ERROR" : "MUTATION_IO_ERROR", { path: given, detail: "another program moved the tree meanwhile", advice: "try again" })
}
