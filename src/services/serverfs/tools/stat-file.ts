import { z } from "zod"
import { defineTool } from "../../../mcp/tool.ts"
import { entryType, LOOK_AROUND, modifiedAt, path, revision, size, workdir } from "../fields.ts"
import type { ReadableWorkdir } from "../workdir.ts"

/** What one entry is, and its revision. */
export const statFile = defineTool({
  name: "stat_file",
  title: "Look at one entry",
  description: "Type, size, modification time, MIME type and revision of one file or directory. A link is described itself, not its target.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({ workdir, path }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    type: entryType,
    size,
    modified_at: modifiedAt,
    mime_type: z.string().nullable(),
    revision,
  }),
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "SYMLINK_NOT_ALLOWED"],
  advice: { PATH_NOT_FOUND: LOOK_AROUND },
  counters: (out) => ({ type: out.type }),
  run: async (workdir: ReadableWorkdir, { path }, context) => ({
    workdir: workdir.alias,
    ...(await workdir.read("statFile", { path }, context)),
  }),
})
