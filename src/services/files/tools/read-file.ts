import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { touched } from "../audited.ts"
import { LOOK_AROUND, path } from "../fields.ts"
import type { ReadableRoot } from "../files-root.ts"

/** A text file, whole. */
export const readFile = ({ root, maxBytes }: FilesConfig) => defineTool({
  name: "read_file",
  title: "Read a file",
  description: `Read a whole UTF-8 file of at most ${maxBytes} bytes. Links are followed inside the root. No pages, no revision, unlike ServerFS.`,
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({ path }),
  output: z.object({ path: z.string(), content: z.string(), size: z.int(), encoding: z.literal("utf-8") }),
  errors: [
    "PATH_NOT_FOUND", "PATH_OUTSIDE_WORKDIR", "NOT_A_FILE", "UNSUPPORTED_FILE_TYPE", "SYMLINK_NOT_ALLOWED", "FILE_TOO_LARGE", "BINARY_FILE",
    "UNSUPPORTED_TEXT_ENCODING", "FILE_CHANGED_DURING_READ", "RESERVED_PATH", "DENIED_PATH", "ACCESS_DENIED",
  ],
  advice: { PATH_NOT_FOUND: LOOK_AROUND },
  counters: (out) => ({ ...touched("path", out, root), bytes_returned: out.size }),
  run: async (target: ReadableRoot, { path }, context) => ({ ...(await target.read("filesRead", { path }, context)), encoding: "utf-8" as const }),
})
