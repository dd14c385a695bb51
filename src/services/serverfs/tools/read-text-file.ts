import { z } from "zod"
import type { Limits } from "../../../config/config.ts"
import { ToolError } from "../../../errors.ts"
import { defineTool } from "../../../mcp/tool.ts"
import type { ReadTextInput } from "../../../operations/read-text.ts"
import { LOOK_AROUND, path, revision, workdir } from "../fields.ts"
import { readPage } from "../read-page.ts"
import type { ReadableWorkdir } from "../workdir.ts"

/** Lines of a page when the caller names no number. */
export const DEFAULT_LINES = 200

interface Begin {
  readonly start_line?: number | undefined
  readonly tail_lines?: number | undefined
  readonly start_byte?: number | undefined
}

/** Where the page begins. Throws INVALID_ARGUMENTS when it is said in two ways. */
function beginning({ start_line, tail_lines, start_byte }: Begin, limits: Limits): ReadTextInput["from"] {
  if ([start_line, tail_lines, start_byte].filter((each) => each !== undefined).length > 1) {
    throw new ToolError("INVALID_ARGUMENTS", { detail: "give at most one of start_line, tail_lines and start_byte" })
  }
  if (tail_lines !== undefined) return { tail: Math.min(tail_lines, limits.maxReadLines) }
  return start_byte === undefined ? { line: start_line ?? 1 } : { byte: start_byte }
}

/** One page of a text file, with the file's revision. */
export const readTextFile = (limits: Limits) => defineTool({
  name: "read_text_file",
  title: "Read a text file",
  description: "Read a page of a UTF-8 text file, with the revision that edit_text_file and delete_file need. Page on with next_start_line; tail_lines reads from the end; start_byte pages through lines too long for one answer. Empty content with end_line below start_line: start_line is past the end.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({
    workdir,
    path,
    start_line: z.int().min(1).optional().describe("First line of the page, from 1 (the default)"),
    max_lines: z.int().min(1).default(DEFAULT_LINES).describe(`Lines in the page, at most ${limits.maxReadLines}`),
    tail_lines: z.int().min(1).optional().describe(`Instead of start_line: the last N lines, at most ${limits.maxReadLines}; start_byte reads what is before them`),
    start_byte: z.int().min(0).optional().describe("Instead of start_line: whole characters from this byte on, up to max_lines lines"),
  }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    start_line: z.int().nullable(),
    end_line: z.int().nullable(),
    content: z.string(),
    bytes_returned: z.int(),
    has_more: z.boolean(),
    next_start_line: z.int().nullable(),
    revision,
    start_byte: z.int(),
    next_start_byte: z.int().nullable(),
  }),
  errors: ["PATH_NOT_FOUND", "NOT_A_FILE", "SYMLINK_NOT_ALLOWED", "UNSUPPORTED_FILE_TYPE", "BINARY_FILE", "UNSUPPORTED_TEXT_ENCODING", "LINE_TOO_LARGE", "FILE_CHANGED_DURING_READ"],
  advice: { PATH_NOT_FOUND: LOOK_AROUND },
  counters: ({ bytes_returned, start_line, end_line, has_more, revision }) => ({ bytes_returned, start_line, end_line, has_more, revision }),
  run: async (workdir: ReadableWorkdir, input, context) => ({
    workdir: workdir.alias,
    path: input.path,
    ...(await readPage(workdir, input.path, beginning(input, limits), input.max_lines, context)),
  }),
})
