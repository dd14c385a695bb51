import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { touched } from "../audited.ts"
import { dst, ENDS_ADVICE, ENDS_ERRORS, operationResult, overwrite, path } from "../fields.ts"
import type { WritableRoot } from "../files-root.ts"

/** A file, or a directory with all that is in it, a second time. */
export const copy = ({ root }: FilesConfig) => defineTool({
  name: "copy",
  title: "Copy",
  description: "Copy a file, or a directory with everything in it, whole or not at all. Mode, times and attributes are kept; links inside stay links. Trees are never merged.",
  access: "write",
  hints: { destructive: true, idempotent: false },
  reportsProgress: true,
  input: z.object({ src: path, dst, overwrite }),
  output: operationResult("COPIED"),
  errors: ENDS_ERRORS,
  advice: ENDS_ADVICE,
  counters: (out) => ({ ...touched("target", out, root), bytes_written: out.size }),
  run: (target: WritableRoot, input, context) => target.mutateTree("filesCopy", input, [input.src, input.dst], context),
})
