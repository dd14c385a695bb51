/** Arguments and results that several tools share, described once. */
import { z } from "zod"
import type { ErrorCode } from "../../errors.ts"
import type { Advice } from "../../mcp/tool.ts"

export const path = z.string().describe("Relative to the root, or absolute in it")
export const directory = z.string().describe("Relative to the root ('.'), or absolute in it")
export const dst = z.string().describe("The final name, never a directory to put it into")
export const overwrite = z.boolean().default(false).describe("Replace a file by a file, an empty directory by a directory")

export const content = (maxBytes: number) => z.string().describe(`The whole text, at most ${maxBytes} bytes`)

/** One entry, as stat and list_dir show it; its path is absolute. */
export const fileEntry = z.object({
  path: z.string(),
  name: z.string(),
  type: z.enum(["file", "directory", "symlink", "other"]),
  size: z.int().describe("Bytes of a file, else 0"),
  mtime: z.number().describe("Unix seconds"),
  mode: z.int().describe("Permission bits, decimal"),
})

/** What a change answers: the absolute path, and the bytes of a file that was written. */
export const operationResult = <S extends string>(status: S) => z.object({ path: z.string(), status: z.enum([status]), size: z.int().nullable() })

/** What a move and a copy may both meet. */
export const ENDS_ERRORS: readonly ErrorCode[] = [
  "PATH_NOT_FOUND", "PARENT_NOT_FOUND", "PATH_ALREADY_EXISTS", "DIRECTORY_NOT_EMPTY", "PATH_OUTSIDE_WORKDIR", "ROOT_MUTATION_NOT_ALLOWED", "NOT_A_FILE",
  "NOT_A_DIRECTORY", "UNSUPPORTED_FILE_TYPE", "SYMLINK_NOT_ALLOWED", "MULTIPLE_HARDLINKS_NOT_SUPPORTED", "METADATA_PRESERVATION_FAILED", "REVISION_CONFLICT",
  "FILE_CHANGED_DURING_READ", "RESERVED_PATH",
  "DENIED_PATH", "ACCESS_DENIED", "WORKDIR_READ_ONLY", "MUTATION_IO_ERROR",
]

/** Advice that several tools give. */
export const LOOK_AROUND = "list_dir or search shows what there is"
export const ENDS_ADVICE: Advice = {
  PATH_NOT_FOUND: LOOK_AROUND,
  PARENT_NOT_FOUND: "choose a dst in a directory that exists: only copying a directory makes one",
  DIRECTORY_NOT_EMPTY: "choose another dst, or delete_file with recursive=true first",
}
