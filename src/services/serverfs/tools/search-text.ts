import { z } from "zod"
import type { Limits } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { expression } from "../../expression.ts"
import { LOOK_AROUND, startPath, workdir } from "../fields.ts"
import type { ReadableWorkdir } from "../workdir.ts"

const MAX_CONTEXT_LINES = 10

function mebibytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`
}

/** Contents, line by line. */
export const searchText = (limits: Limits) => defineTool({
  name: "search_text",
  title: "Search in files",
  description: `Search the text of files, line by line. Left out: binary files, files over ${mebibytes(limits.searchMaxFileBytes)}, hidden and denied names, .git, .hg and .svn, and what .gitignore, .ignore and .rgignore files name, unless include_ignored is true. When truncated is true there is more: narrow path, glob or query.`,
  access: "read",
  spawns: true,
  hints: { destructive: false, idempotent: true },
  reportsProgress: true,
  input: z.object({
    workdir,
    query: expression.min(1).describe("Text to find within a line, taken literally unless regex is true"),
    path: startPath,
    glob: expression.default("").describe("Only files that match: *.py at any depth, docs/**/*.md from path on, *.{c,h}, !*.min.js to leave out. Overrides ignore files"),
    case_sensitive: z.boolean().default(true),
    limit: z.int().min(1).default(limits.defaultSearchResults).describe(`Matching lines to return, at most ${limits.maxSearchResults}`),
    regex: z.boolean().default(false).describe("Take query as a regular expression (Rust syntax: no look-around, no back-references)"),
    context_lines: z.int().min(0).default(0).describe(`Lines to return before and after each match, at most ${MAX_CONTEXT_LINES}`),
    include_ignored: z.boolean().default(false).describe("Search what ignore files name, too"),
  }).refine(({ regex, query }) => regex || !query.includes("\n"), { path: ["query"], message: "must not hold a newline: matches are within one line" }),
  output: z.object({
    matches: z.array(z.object({
      path: z.string().describe("Relative to the workdir"),
      line: z.int(),
      text: z.string().describe("The line, at most 2000 characters of it"),
      before: z.array(z.string()),
      after: z.array(z.string()),
      text_truncated: z.boolean(),
    })),
    returned: z.int(),
    truncated: z.boolean(),
    skipped: z.object({ unreadable: z.int().describe("Files and directories that could not be opened") }),
  }),
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "SYMLINK_NOT_ALLOWED", "SEARCH_TIMEOUT", "SEARCH_FAILED"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_DIRECTORY: "for a file, give its directory as path and its name as glob",
  },
  counters: ({ returned, truncated }) => ({ returned, truncated }),
  run: async (workdir: ReadableWorkdir, input, context) => {
    const { matches, truncated, unreadable } = await workdir.read("searchText", {
      query: input.query,
      path: input.path,
      glob: input.glob,
      caseSensitive: input.case_sensitive,
      limit: Math.min(input.limit, limits.maxSearchResults),
      regex: input.regex,
      contextLines: Math.min(input.context_lines, MAX_CONTEXT_LINES),
      includeIgnored: input.include_ignored,
    }, context)
    return { matches, returned: matches.length, truncated, skipped: { unreadable } }
  },
})
