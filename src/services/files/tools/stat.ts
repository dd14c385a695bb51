import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { touched } from "../audited.ts"
import { fileEntry, LOOK_AROUND, path } from "../fields.ts"
import type { ReadableRoot } from "../files-root.ts"

/** What one entry is. */
export const stat = ({ root }: FilesConfig) => defineTool({
  name: "stat",
  title: "Look at one entry",
  description: "Type, size, modification time and permission bits of one entry. A link itself, not its target.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({ path }),
  output: fileEntry,
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "PATH_OUTSIDE_WORKDIR", "SYMLINK_NOT_ALLOWED", "RESERVED_PATH", "DENIED_PATH", "ACCESS_DENIED"],
  advice: { PATH_NOT_FOUND: LOOK_AROUND },
  counters: (out) => ({ ...touched("path", out, root), type: out.type }),
  run: (target: ReadableRoot, { path }, context) => target.read("filesStat", { path }, context),
})
