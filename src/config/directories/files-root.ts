/** The Files service's part of the configuration (contract §6, last bullets). */
import type { FilesConfig } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import type { Values } from "../variables/values.ts"
import { absolute, inspectDirectory, mendPath, type Where } from "./directory.ts"

/** null = not mounted, or a fault. */
export function filesOf(values: Values, where: Where, faults: Fault[]): FilesConfig | null {
  if (values.FILES_MCP_ROOT === null) return null
  const root = absolute(values.FILES_MCP_ROOT, where)
  const inspection = inspectDirectory(root, "FILES_MCP_ROOT", where)
  const refuse = (message: string) => {
    faults.push({ variable: "FILES_MCP_ROOT", message })
    return null
  }
  if (inspection.kind !== "directory") return refuse(`${quote(root)} ${inspection.why}; ${mendPath(root, "it is read-write unless FILES_MCP_READ_ONLY=true")}`)
  if (inspection.real === "/") return refuse("the root of the file system is never served; give a directory below it")
  return {
    root: inspection.real,
    configuredRoot: root,
    maxBytes: values.FILES_MCP_MAX_BYTES,
    maxEntries: values.FILES_MCP_MAX_ENTRIES,
    readOnly: values.FILES_MCP_READ_ONLY,
    extraDenyGlobs: values.FILES_MCP_EXTRA_DENY_GLOBS ?? [],
  }
}
