import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { touched } from "../audited.ts"
import { directory, fileEntry, LOOK_AROUND } from "../fields.ts"
import type { ReadableRoot } from "../files-root.ts"

/** A directory, or a tree a few levels deep. */
export const listDir = ({ root, maxEntries }: FilesConfig) => defineTool({
  name: "list_dir",
  title: "List a directory",
  description: `List a directory, sorted by path, hidden names included; with recursive=true also max_depth levels of sub-directories. Links are not entered, nor other filesystems mounted below. No pages: at most ${maxEntries} entries, nearest first.`,
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({
    path: directory,
    recursive: z.boolean().default(false),
    max_depth: z.int().min(0).default(1).describe("1 = children and grandchildren"),
  }),
  output: z.object({ path: z.string(), entries: z.array(fileEntry), truncated: z.boolean() }),
  errors: ["PATH_NOT_FOUND", "NOT_A_DIRECTORY", "PATH_OUTSIDE_WORKDIR", "SYMLINK_NOT_ALLOWED", "RESERVED_PATH", "DENIED_PATH", "ACCESS_DENIED"],
  advice: {
    PATH_NOT_FOUND: LOOK_AROUND,
    NOT_A_DIRECTORY: "stat says what it is, read_file reads a file",
  },
  counters: (out) => ({ ...touched("path", out, root), returned: out.entries.length, truncated: out.truncated }),
  run: (target: ReadableRoot, { path, recursive, max_depth }, context) => target.read("filesList", { path, depth: recursive ? max_depth : 0 }, context),
})
