/** The audit file: appended to, rotated by size, a fixed number of old ones kept. Blocks; runs in the audit's thread. */
import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { systemErrorCode } from "../system-error.ts"
import { writeAll } from "./write-all.ts"

export interface LogFileOptions {
  readonly path: string
  /** A file that would grow over this is rotated first. A single longer line still goes in whole. */
  readonly maxBytes: number
  /** How many rotated files stay: `path.1` is the youngest. */
  readonly keep: number
}

const NEWLINE = 10
// Non-blocking, so that a FIFO in the way is an error and not a wait; a regular file ignores it.
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

function openRegular(path: string, flags: number): number {
  const fd = openSync(path, flags, 0o600)
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new Error("not a regular file")
}

/** Throws as `new LogFile()` would, and makes nothing. */
export function tryLogFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) accessSync(dirname(path), constants.W_OK | constants.X_OK)
  else closeSync(openRegular(path, FLAGS & ~constants.O_CREAT))
}

function endsInsideLine(fd: number, size: number): boolean {
  const last = new Uint8Array(1)
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
}

export class LogFile {
  readonly #options: LogFileOptions
  readonly #onTrouble: (code: string) => void
  #fd = -1
  #size = 0

  /** @throws with the system's reason when the path can't be opened for appending, or is not a regular file */
  constructor(options: LogFileOptions, onTrouble: (code: string) => void) {
    this.#options = options
    this.#onTrouble = onTrouble
    this.#open()
  }

  /** Appends a batch of whole lines, rotating between lines. Returns when all is written, however long that takes. */
  append(batch: Uint8Array): void {
    let rest = batch
    while (rest.length > 0) {
      const count = this.#fitting(rest)
      if (count === 0) {
        this.#rotate()
        continue
      }
      writeAll(this.#fd, rest.subarray(0, count), this.#onTrouble)
      this.#size += count
      rest = rest.subarray(count)
    }
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** How many bytes, whole lines all of them, the current file still takes. An empty one takes at least a line. */
  #fitting(lines: Uint8Array): number {
    const room = this.#options.maxBytes - this.#size
    if (lines.length <= room) return lines.length
    const count = room > 0 ? lines.lastIndexOf(NEWLINE, room - 1) + 1 : 0
    return count === 0 && this.#size === 0 ? lines.indexOf(NEWLINE) + 1 : count
  }

  /** Opens the path and makes it the current file; the one before stays current when that fails. */
  #open(): void {
    const fd = openRegular(this.#options.path, FLAGS)
    const { size } = fstatSync(fd)
    if (this.#fd >= 0) closeSync(this.#fd)
    this.#fd = fd
    this.#size = size
    // A process that was killed may have left half a line: what follows must not become part of it.
    if (!endsInsideLine(fd, size)) return
    writeAll(fd, Uint8Array.of(NEWLINE), this.#onTrouble)
    this.#size++
  }

  /** A file that can't be rotated grows on, and it is tried again a file's length later: a record matters more than its size. */
  #rotate(): void {
    try {
      this.#shift()
      this.#open()
    } catch (error) {
      this.#onTrouble(systemErrorCode(error))
      this.#size = 0
    }
  }

  /** Each file becomes one older, up to the first age that none has: what `keep` allows may be far more than there is. */
  #shift(): void {
    const { path, keep } = this.#options
    if (keep === 0) rmSync(path, { force: true })
    const aged = (age: number): string => (age === 0 ? path : `${path}.${age}`)
    let free = 0
    while (free < keep && lstatSync(aged(free), { throwIfNoEntry: false })) free++
    for (let age = free; age > 0; age--) renameIfThere(aged(age - 1), aged(age))
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error
  }
}
