import { z } from "zod"
import type { Limits } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { entryType, listedPath, LOOK_AROUND, modifiedAt, size, workdir } from "../fields.ts"
import type { ReadableWorkdir } from "../workdir.ts"

/** One page of a directory. */
export const listDirectory = (limits: Limits) => defineTool({
  name: "list_directory",
  title: "List a directory",
  description: "List the entries of one directory, sorted by name, a page at a time. Links are shown as links, never followed. Hidden and denied names are left out.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({
    workdir,
    path: listedPath,
    offset: z.int().min(0).default(0).describe("Entries to skip"),
    limit: z.int().min(1).default(limits.defaultListLimit).describe(`Entries to return, at most ${limits.maxListEntries}`),
  }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    entries: z.array(z.object({ name: z.string(), path: z.string(), type: entryType, size, modified_at: modifiedAt })),
    offset: z.int(),
    limit: z.int(),
    returned: z.int(),
    has_more: z.boolean(),
    undecodable: z.int().describe("Entries left out because their names are not valid UTF-8"),
  }),
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "SYMLINK_NOT_ALLOWED"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_DIRECTORY: "stat_file says what it is, read_text_file reads a file",
  },
  counters: (out) => ({ returned: out.returned, has_more: out.has_more }),
  run: async (workdir: ReadableWorkdir, { path, offset, limit }, context) => {
    const page = { offset, limit: Math.min(limit, limits.maxListEntries) }
    const { entries, has_more, undecodable } = await workdir.read("listDirectory", { path, ...page }, context)
    return { workdir: workdir.alias, path, entries, ...page, returned: entries.length, has_more, undecodable }
  },
})
