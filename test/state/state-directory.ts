import { afterEach, beforeEach } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A path for a state directory that does not exist yet, fresh for each test of the file. */
export function stateDirectory(): () => string {
  let parent = ""
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "state-"))
  })
  afterEach(() => rmSync(parent, { recursive: true }))
  return () => join(parent, "serverfs")
}
