/** The corpus: a directory that was named, or Debian's linux-source-6.1 unpacked. */
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"

const ARCHIVE = "/usr/src/linux-source-6.1.tar.xz"

export function treeIn(scratch: string, given: string | undefined): string {
  if (given !== undefined) return given
  if (!existsSync(ARCHIVE)) throw new Error(`name a source tree with --tree, or install linux-source-6.1 (${ARCHIVE})`)
  const into = join(scratch, "linux")
  mkdirSync(into)
  const { success } = Bun.spawnSync(["tar", "-xf", ARCHIVE, "-C", into, "--strip-components=1"], { stderr: "inherit" })
  if (!success) throw new Error(`${ARCHIVE} could not be unpacked`)
  return into
}
