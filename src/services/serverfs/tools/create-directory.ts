import { z } from "zod"
import { defineTool } from "../../../mcp/tool.ts"
import { directoryPath, MAKE_PARENT, revision, workdir } from "../fields.ts"
import type { WritableWorkdir } from "../workdir.ts"

/** One level; the parent must exist. */
export const createDirectory = defineTool({
  name: "create_directory",
  title: "Create a directory",
  description: "Create one directory. Its parent must exist: create missing levels one by one. Anything already at the path, a directory included, is PATH_ALREADY_EXISTS.",
  access: "write",
  hints: { destructive: false, idempotent: true },
  input: z.object({ workdir, path: directoryPath }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    created: z.boolean(),
    revision,
  }),
  errors: ["PATH_ALREADY_EXISTS", "PARENT_NOT_FOUND", "NOT_A_DIRECTORY", "SYMLINK_NOT_ALLOWED", "MUTATION_IO_ERROR"],
  advice: {
    PARENT_NOT_FOUND: MAKE_PARENT,
    PATH_ALREADY_EXISTS: "if stat_file says that it is a directory, nothing is left to do",
  },
  counters: ({ revision }) => ({ revision }),
  run: async (workdir: WritableWorkdir, { path }, context) => ({
    workdir: workdir.alias,
    created: true,
    ...(await workdir.mutate("createDirectory", { path }, context)),
  }),
})
