import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { touched } from "../audited.ts"
import { LOOK_AROUND, operationResult, path } from "../fields.ts"
import type { WritableRoot } from "../files-root.ts"

/** A file or a link, or with recursive a whole tree. */
export const deleteFile = ({ root }: FilesConfig) => defineTool({
  name: "delete_file",
  title: "Delete a file or a tree",
  description: "Delete a file, or a link itself; with recursive=true whatever is there, a directory with everything in it. Permanent. A stop halfway says how many entries were removed. No revision is asked for, unlike in ServerFS.",
  access: "write",
  hints: { destructive: true, idempotent: true },
  reportsProgress: true,
  input: z.object({ path, recursive: z.boolean().default(false) }),
  output: operationResult("DELETED"),
  errors: [
    "PATH_NOT_FOUND", "PATH_OUTSIDE_WORKDIR", "ROOT_MUTATION_NOT_ALLOWED", "NOT_A_FILE", "UNSUPPORTED_FILE_TYPE", "SYMLINK_NOT_ALLOWED",
    "RESERVED_PATH", "DENIED_PATH", "ACCESS_DENIED", "WORKDIR_READ_ONLY", "MUTATION_IO_ERROR",
  ],
  advice: { PATH_NOT_FOUND: LOOK_AROUND },
  counters: (out) => touched("path", out, root),
  run: (target: WritableRoot, { path, recursive }, context) =>
    recursive ? target.mutateTree("filesDeleteTree", { path }, [path], context) : target.mutate("filesDelete", { path }, [path], context),
})
