import { z } from "zod"
import type { FilesConfig } from "../../../config/config.ts"
import { defineTool } from "../../../mcp/tool.ts"
import { touched } from "../audited.ts"
import { dst, ENDS_ADVICE, ENDS_ERRORS, operationResult, overwrite, path } from "../fields.ts"
import type { WritableRoot } from "../files-root.ts"

/** A file, a link or a directory under another name. */
export const move = ({ root }: FilesConfig) => defineTool({
  name: "move",
  title: "Move or rename",
  description: "Move or rename a file, a directory or a link itself. Trees are never merged.",
  access: "write",
  hints: { destructive: true, idempotent: false },
  reportsProgress: true,
  input: z.object({ src: path, dst, overwrite }),
  output: operationResult("MOVED"),
  errors: ENDS_ERRORS,
  advice: ENDS_ADVICE,
  counters: (out) => touched("target", out, root),
  run: (target: WritableRoot, input, context) => target.mutateTree("filesMove", input, [input.src, input.dst], context),
})
