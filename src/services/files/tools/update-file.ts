import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { assertContent } from "../../../workdir/text.ts"
import { touched } from "../audited.ts"
import { content, operationResult, path } from "../fields.ts"
import type { WritableRoot } from "../files-root.ts"

/** New content for a file that exists. */
export const updateFile = ({ root, maxBytes }: FilesConfig) => defineTool({
  name: "update_file",
  title: "Update a file",
  description: "Replace the whole content of an existing file, in one step; owner, mode and attributes stay. Read it first: unlike in ServerFS no revision guards what others wrote meanwhile.",
  access: "write",
  hints: { destructive: true, idempotent: true },
  input: z.object({ path, content: content(maxBytes) }),
  output: operationResult("UPDATED"),
  errors: [
    "PATH_NOT_FOUND", "PATH_OUTSIDE_WORKDIR", "ROOT_MUTATION_NOT_ALLOWED", "NOT_A_FILE", "UNSUPPORTED_FILE_TYPE", "SYMLINK_NOT_ALLOWED", "ACCESS_DENIED",
    "MULTIPLE_HARDLINKS_NOT_SUPPORTED", "METADATA_PRESERVATION_FAILED", "REVISION_CONFLICT", "WRITE_TOO_LARGE", "BINARY_CONTENT_NOT_ALLOWED", "WORKDIR_READ_ONLY", "MUTATION_IO_ERROR",
  ],
  advice: { PATH_NOT_FOUND: "create_file makes it" },
  counters: (out) => ({ ...touched("path", out, root), bytes_written: out.size }),
  run: (target: WritableRoot, { path, content }, context) =>
    target.mutate("filesUpdate", { path, content }, [path], context, (given) => assertContent(content, maxBytes, given)),
})
