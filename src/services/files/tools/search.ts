import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { expression } from "../../expression.ts"
import { directory, LOOK_AROUND } from "../fields.ts"
import type { ReadableRoot } from "../files-root.ts"

/** Entries by name or path. */
export const search = ({ maxEntries }: FilesConfig) => defineTool({
  name: "search",
  title: "Search by name",
  description: `Find files and directories by a glob on their names, or with / or ** on the path below path. It never looks into files, unlike search_text of ServerFS. At most ${maxEntries} matches, sorted.`,
  access: "read",
  hints: { destructive: false, idempotent: true },
  reportsProgress: true,
  input: z.object({
    path: directory,
    pattern: expression.min(1).describe("*.log or src/**/*.ts; no {a,b}: one call each"),
    recursive: z.boolean().default(true),
  }),
  output: z.object({ pattern: z.string(), matches: z.array(z.string()).describe("Absolute paths"), truncated: z.boolean() }),
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "PATH_OUTSIDE_WORKDIR", "SYMLINK_NOT_ALLOWED", "RESERVED_PATH", "DENIED_PATH", "ACCESS_DENIED"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_DIRECTORY: "for a file, give its directory as path and its name as pattern",
  },
  counters: (out) => ({ returned: out.matches.length, truncated: out.truncated }),
  run: async (target: ReadableRoot, { path, pattern, recursive }, context) => {
    const { matches, truncated } = await target.read("filesSearch", { path, pattern, recursive }, context)
    return { pattern, matches: [...matches], truncated }
  },
})
