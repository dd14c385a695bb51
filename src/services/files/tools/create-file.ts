import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { assertContent } from "../../../workdir/text.ts"
import { touched } from "../audited.ts"
import { content, operationResult, path } from "../fields.ts"
import type { WritableRoot } from "../files-root.ts"

/** A new file, or new content in the place of an old one. */
export const createFile = ({ root, maxBytes }: FilesConfig) => defineTool({
  name: "create_file",
  title: "Create a file",
  description: "Write a new UTF-8 file in a directory that exists: only copy makes directories. overwrite=true replaces a file, keeping owner and mode; ServerFS never does.",
  access: "write",
  hints: { destructive: true, idempotent: false },
  input: z.object({ path, content: content(maxBytes), overwrite: z.boolean().default(false) }),
  output: operationResult("CREATED"),
  errors: [
    "PATH_ALREADY_EXISTS", "PARENT_NOT_FOUND", "PATH_OUTSIDE_WORKDIR", "ROOT_MUTATION_NOT_ALLOWED", "NOT_A_FILE", "UNSUPPORTED_FILE_TYPE",
    "SYMLINK_NOT_ALLOWED", "MULTIPLE_HARDLINKS_NOT_SUPPORTED", "METADATA_PRESERVATION_FAILED", "REVISION_CONFLICT", "WRITE_TOO_LARGE",
    "BINARY_CONTENT_NOT_ALLOWED", "WORKDIR_READ_ONLY", "MUTATION_IO_ERROR",
  ],
  advice: {
    PARENT_NOT_FOUND: "choose a path in a directory that exists: only copying a directory makes one",
    PATH_ALREADY_EXISTS: "update_file changes a file, or overwrite=true replaces it",
  },
  counters: (out) => ({ ...touched("path", out, root), bytes_written: out.size }),
  run: (target: WritableRoot, { path, content, overwrite }, context) =>
    target.mutate("filesCreate", { path, content, overwrite }, [path], context, (given) => assertContent(content, maxBytes, given)),
})
