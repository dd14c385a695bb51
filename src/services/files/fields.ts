/** Arguments and results that several tools share, described once. */
import { z } from "zod"
import type { ErrorCode } from "../../errors.ts"

export const path = z.string().describe("Relative to the root, absolute inside it, or ~ for the root")
export const overwrite = z.boolean().default(false).describe("Replace what is there: a file by a file, an empty directory by a directory")

export const content = (maxBytes: number) => z.string().describe(`The whole text, at most ${maxBytes} bytes`)

export const absolutePath = z.string().describe("Absolute")

/** One entry, as stat and list_dir show it. */
export const fileEntry = z.object({
  path: absolutePath,
  name: z.string(),
  type: z.enum(["file", "directory", "symlink", "other"]),
  size: z.int().describe("Bytes of a file, else 0"),
  mtime: z.number().describe("Unix seconds"),
  mode: z.int().describe("Permission bits"),
})

/** What a change answers. */
export const operationResult = z.object({
  path: absolutePath,
  status: z.enum(["CREATED", "UPDATED", "DELETED", "MOVED", "COPIED"]),
  size: z.int().nullable().describe("Bytes written"),
})

/** What a move and a copy may both meet. */
export const ENDS_ERRORS: readonly ErrorCode[] = [
  "PATH_NOT_FOUND", "PARENT_NOT_FOUND", "PATH_ALREADY_EXISTS", "DIRECTORY_NOT_EMPTY", "PATH_OUTSIDE_WORKDIR", "ROOT_MUTATION_NOT_ALLOWED", "NOT_A_FILE",
  "NOT_A_DIRECTORY", "UNSUPPORTED_FILE_TYPE", "SYMLINK_NOT_ALLOWED", "MULTIPLE_HARDLINKS_NOT_SUPPORTED", "METADATA_PRESERVATION_FAILED", "RESERVED_PATH",
  "DENIED_PATH", "ACCESS_DENIED", "WORKDIR_READ_ONLY", "MUTATION_IO_ERROR",
]
