/** Arguments and results that several tools share, described once. */
import { z } from "zod"

export const workdir = z.string().describe("Alias of a workdir, as list_workdirs gives it")
export const path = z.string().describe("Path relative to the workdir, such as src/main.ts")
export const directoryPath = z.string().describe("Path relative to the workdir, such as src/parts")
export const listedPath = z.string().default("").describe("Directory to list, relative to the workdir; empty = its root")
export const startPath = z.string().default("").describe("Directory to search in, relative to the workdir; empty = its root")
export const expectedRevision = z.string().describe("The revision that read_text_file or stat_file gave")

export const revision = z.string().describe("Opaque token; it changes whenever the content or the metadata changes")
export const entryType = z.enum(["file", "directory", "symlink", "other"])
export const modifiedAt = z.string().describe("UTC, YYYY-MM-DDTHH:MM:SSZ")
/** Bytes, for files alone. */
export const size = z.int().nullable()

/** Advice that several tools give. */
export const LOOK_AROUND = "list_directory or find_files shows what there is"
export const MAKE_PARENT = "create it first with create_directory, one level at a time"
