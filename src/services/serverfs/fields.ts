/** Arguments and results that several tools share, described once. */
import { z } from "zod"

export const workdir = z.string().describe("Alias of a workdir, as list_workdirs gives it")
export const path = z.string().describe("Path relative to the workdir, such as src/main.ts")
export const startPath = z.string().default("").describe("Directory to start in, relative to the workdir; empty = its root")
export const expectedRevision = z.string().min(1).describe("The revision that stat_file or read_text_file gave")

export const revision = z.string().describe("Opaque token; it changes whenever the content or the metadata changes")
export const entryType = z.enum(["file", "directory", "symlink", "other"])
export const modifiedAt = z.string().describe("UTC, YYYY-MM-DDTHH:MM:SSZ")
/** Bytes, for files alone. */
export const size = z.int().nullable()
