import { z } from "zod"
import { defineTool } from "../../../mcp/tool.ts"
import { directoryPath, expectedRevision, LOOK_AROUND, workdir } from "../fields.ts"
import type { WritableWorkdir } from "../workdir.ts"

/** Remove one empty directory. */
export const deleteDirectory = defineTool({
  name: "delete_directory",
  title: "Delete an empty directory",
  description: "Delete one empty directory. Needs the revision from stat_file. Never recursive: list_directory, then delete_file on each entry, then stat_file and delete_directory. Entries that are not listed count too.",
  access: "write",
  hints: { destructive: true, idempotent: true },
  input: z.object({ workdir, path: directoryPath, expected_revision: expectedRevision }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    deleted: z.boolean(),
    revision_deleted: z.string(),
  }),
  errors: ["PATH_NOT_FOUND", "SYMLINK_NOT_ALLOWED", "NOT_A_DIRECTORY", "REVISION_CONFLICT", "DIRECTORY_NOT_EMPTY", "MUTATION_IO_ERROR"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_DIRECTORY: "delete_file deletes a file",
    REVISION_CONFLICT: "list_directory shows what is in it now, stat_file gives the new revision; then retry",
  },
  counters: () => ({}),
  run: async (workdir: WritableWorkdir, { path, expected_revision }, context) => ({
    workdir: workdir.alias,
    deleted: true,
    ...(await workdir.mutate("deleteDirectory", { path, expectedRevision: expected_revision }, context)),
  }),
})
