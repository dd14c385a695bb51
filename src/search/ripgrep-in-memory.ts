/** The ripgrep that a single-file program carries: no file of a disk can be put in its place, and none has to be written. */
import { readFileSync } from "node:fs"
import { memoryProgram } from "../fs/memory-file.ts"

/** As scripts/build.ts puts it in. */
const CARRIED = "/$bunfs/root/rg"

/** Takes it out into memory, for good; returns what starts it. Throws where the kernel runs nothing from memory. */
export function ripgrepInMemory(): string {
  return memoryProgram("serverfs-ripgrep", readFileSync(CARRIED)).procPath
}
