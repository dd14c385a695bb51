/** What the audit says a call was about: paths relative to the root, so that the root is in no log (contract §8). */
import type { FilesConfig } from "../../config/config.ts"
import type { Subject } from "../../mcp/service.ts"
import { auditedPath, relativeToRoot } from "../../workdir/files-path.ts"

/** From the raw arguments, refused ones included. `target` is where a move or a copy leads. */
export function subjectOf(args: Readonly<Record<string, unknown>>, { root, configuredRoot }: Pick<FilesConfig, "root" | "configuredRoot">): Subject {
  const source = args["path"] ?? args["src"]
  const { dst } = args
  return {
    ...(typeof source === "string" ? { path: auditedPath(source, root, configuredRoot) } : {}),
    ...(typeof dst === "string" ? { target: auditedPath(dst, root, configuredRoot) } : {}),
  }
}

/** After a success the path is the one that the links on the way led to: the record shows what was touched, whatever was asked. */
export function touched<K extends "path" | "target">(key: K, out: { readonly path: string }, root: string): Record<string, string> {
  return { [key]: relativeToRoot(out.path, root) }
}
