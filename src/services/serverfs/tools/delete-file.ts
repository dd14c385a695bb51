import { z } from "zod"
import { defineTool } from "../../../mcp/tool.ts"
import { expectedRevision, LOOK_AROUND, path, workdir } from "../fields.ts"
import type { WritableWorkdir } from "../workdir.ts"

/** Remove one regular file, permanently. */
export const deleteFile = defineTool({
  name: "delete_file",
  title: "Delete a file",
  description: "Delete one regular file, text or binary. Needs the revision from read_text_file or stat_file. Permanent: there is no trash.",
  access: "write",
  hints: { destructive: true, idempotent: true },
  input: z.object({ workdir, path, expected_revision: expectedRevision }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    deleted: z.boolean(),
    bytes_deleted: z.int(),
    revision_deleted: z.string(),
  }),
  errors: ["PATH_NOT_FOUND", "SYMLINK_NOT_ALLOWED", "NOT_A_FILE", "UNSUPPORTED_FILE_TYPE", "REVISION_CONFLICT", "MUTATION_IO_ERROR"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_FILE: "delete_directory deletes an empty directory",
    REVISION_CONFLICT: "call stat_file for the new revision, and read_text_file to see what changed if it is text; then retry",
  },
  counters: ({ bytes_deleted }) => ({ bytes_deleted }),
  run: async (workdir: WritableWorkdir, { path, expected_revision }, context) => ({
    workdir: workdir.alias,
    deleted: true,
    ...(await workdir.mutate("deleteFile", { path, expectedRevision: expected_revision }, context)),
  }),
})
