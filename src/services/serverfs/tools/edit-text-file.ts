import { z } from "zod"
import type { Limits } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { assertEdits } from "../../../workdir/edits.ts"
import { expectedRevision, LOOK_AROUND, path, revision, workdir } from "../fields.ts"
import type { WritableWorkdir } from "../workdir.ts"

const edit = z.object({
  old_text: z.string().describe("The exact text to replace, blanks and line ends included; empty only to fill a completely empty file"),
  new_text: z.string().describe("What takes its place, written as it is: use \\r\\n where the file does; empty to delete"),
  expected_count: z.int().min(1).default(1).describe("How often old_text must be there; all of them are replaced"),
})

/** Exact replacements in a text file, all or nothing. */
export const editTextFile = (limits: Limits) => defineTool({
  name: "edit_text_file",
  title: "Edit a text file",
  description: "Replace exact text in one UTF-8 text file. Needs the revision from read_text_file or stat_file. Edits apply in order, each to the result of the one before, and all or none; nothing is a pattern. dry_run shows the unified diff and writes nothing. Everything else in the file stays byte for byte.",
  access: "write",
  hints: { destructive: true, idempotent: true },
  input: z.object({
    workdir,
    path,
    expected_revision: expectedRevision,
    edits: z.array(edit).min(1).describe(`1 to ${limits.maxEditsPerCall} edits`),
    dry_run: z.boolean().default(false).describe("Only show what would change"),
  }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    edited: z.boolean(),
    edits_applied: z.int(),
    bytes_before: z.int(),
    bytes_after: z.int(),
    revision_before: z.string(),
    revision,
    diff: z.string().nullable().describe("Unified diff of a dry run"),
  }),
  errors: [
    "PATH_NOT_FOUND", "SYMLINK_NOT_ALLOWED", "NOT_A_FILE", "UNSUPPORTED_FILE_TYPE", "REVISION_CONFLICT", "MULTIPLE_HARDLINKS_NOT_SUPPORTED", "TOO_MANY_EDITS",
    "BINARY_CONTENT_NOT_ALLOWED", "WRITE_TOO_LARGE", "FILE_CHANGED_DURING_READ", "BINARY_FILE", "UNSUPPORTED_TEXT_ENCODING", "EDIT_CONFLICT", "METADATA_PRESERVATION_FAILED", "MUTATION_IO_ERROR",
  ],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    WRITE_TOO_LARGE: "let the edits add less",
  },
  counters: (out) => ({ edit_count: out.edits_applied, bytes_before: out.bytes_before, bytes_after: out.bytes_after, revision: out.revision, ...(out.edited ? {} : { dry_run: true }) }),
  run: async (workdir: WritableWorkdir, { path, expected_revision, edits, dry_run }, context) => {
    const input = { path, expectedRevision: expected_revision, edits, dryRun: dry_run }
    const done = await workdir.mutate("editTextFile", input, context, () => assertEdits(edits, limits, path))
    return { workdir: workdir.alias, ...done, edits_applied: edits.length, revision_before: expected_revision }
  },
})
