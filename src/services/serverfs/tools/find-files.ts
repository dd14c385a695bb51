import { z } from "zod"
import type { Limits } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { expression } from "../../expression.ts"
import { entryType, LOOK_AROUND, startPath, workdir } from "../fields.ts"
import type { ReadableWorkdir } from "../workdir.ts"

/** Names and paths by glob. */
export const findFiles = (limits: Limits) => defineTool({
  name: "find_files",
  title: "Find files by name",
  description: "Find files by a glob on their names or paths. Hidden and denied names are left out, symlinked directories are not entered, ignore files don't count. When truncated is true there may be more: narrow path or pattern.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  reportsProgress: true,
  input: z.object({
    workdir,
    pattern: expression.min(1).describe("Case-sensitive glob of *, ?, [seq], [!seq]; no {a,b}: one call each. Without a slash it is matched against whole names at any depth (*.py, *calc*); with one, against whole paths below path, and ** crosses directories (src/**/*.ts)"),
    path: startPath,
    limit: z.int().min(1).default(limits.defaultSearchResults).describe(`Matches to return, at most ${limits.maxSearchResults}`),
    type: z.enum([...entryType.options, "any"]).default("file").describe("What to find"),
  }),
  output: z.object({
    matches: z.array(z.object({ path: z.string().describe("Relative to the workdir") })),
    returned: z.int(),
    truncated: z.boolean(),
  }),
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "SYMLINK_NOT_ALLOWED"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_DIRECTORY: "for a file, give its directory as path and its name as pattern",
  },
  counters: ({ returned, truncated }) => ({ returned, truncated }),
  run: async (workdir: ReadableWorkdir, { pattern, path, limit, type }, context) => {
    const input = { pattern, path, type, limit: Math.min(limit, limits.maxSearchResults) }
    const { paths, truncated } = await workdir.read("findFiles", input, context)
    return { matches: paths.map((path) => ({ path })), returned: paths.length, truncated }
  },
})
