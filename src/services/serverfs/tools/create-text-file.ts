import { z } from "zod"
import type { Limits } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { assertContent } from "../../../workdir/text.ts"
import { MAKE_PARENT, path, revision, workdir } from "../fields.ts"
import type { WritableWorkdir } from "../workdir.ts"

/** A new file, in a directory that exists, where nothing is yet. */
export const createTextFile = ({ maxWriteBytes }: Limits) => defineTool({
  name: "create_text_file",
  title: "Create a text file",
  description: "Create one new UTF-8 text file with exactly this content. Its directory must exist, and nothing may be at the path: there is no overwrite. The returned revision works at once in edit_text_file.",
  access: "write",
  // A refused create may still have touched the directory, where a temporary file needs a name.
  hints: { destructive: false, idempotent: false },
  input: z.object({
    workdir,
    path,
    content: z.string().describe(`The whole text, written as it is: no newline is added or changed. At most ${maxWriteBytes} bytes`),
  }),
  output: z.object({
    workdir: z.string(),
    path: z.string(),
    created: z.boolean(),
    bytes_written: z.int(),
    revision,
  }),
  errors: ["PATH_ALREADY_EXISTS", "PARENT_NOT_FOUND", "NOT_A_DIRECTORY", "SYMLINK_NOT_ALLOWED", "BINARY_CONTENT_NOT_ALLOWED", "WRITE_TOO_LARGE", "MUTATION_IO_ERROR"],
  advice: {
    PARENT_NOT_FOUND: MAKE_PARENT,
    PATH_ALREADY_EXISTS: "to change a file: read_text_file, then edit_text_file",
  },
  counters: ({ bytes_written, revision }) => ({ bytes_written, revision }),
  run: async (workdir: WritableWorkdir, { path, content }, context) => ({
    workdir: workdir.alias,
    created: true,
    ...(await workdir.mutate("createTextFile", { path, content }, context, () => assertContent(content, maxWriteBytes, path))),
  }),
})
