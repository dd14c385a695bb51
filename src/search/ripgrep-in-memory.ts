/** The ripgrep that a single-file program carries: no file of a disk can be put in its place, and none has to be written. */
import { readFileSync } from "node:fs"
import { FaultError } from "../config/fault-error.ts"
import { memoryProgram } from "../fs/memory-file.ts"

/** As scripts/build.ts puts it in. */
const CARRIED = "/$bunfs/root/rg"

/** Takes it out into memory, for good; returns what starts it. Throws FaultError where the kernel runs nothing from memory. */
export function ripgrepInMemory(): string {
  try {
    return memoryProgram("serverfs-ripgrep", readFileSync(CARRIED)).procPath
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FaultError("ripgrep", `it can't be put into memory (${reason}); set vm.memfd_noexec to 0 or 1, or run serverfs from its sources`)
  }
}
