import { z } from "zod"
import { defineTool } from "../../../mcp/tool.ts"
import type { Registry } from "../registry.ts"

/** Which workdirs there are, and what may be done in them. */
export const listWorkdirs = defineTool({
  name: "list_workdirs",
  title: "List workdirs",
  description: "List the workdirs you can reach, each with its alias, its description and whether it is read-only or read-write. Start here.",
  access: "read",
  hints: { destructive: false, idempotent: true },
  input: z.object({}),
  output: z.object({
    workdirs: z.array(z.object({
      alias: z.string(),
      description: z.string().nullable(),
      access: z.enum(["read-only", "read-write"]),
    })),
  }),
  errors: [],
  counters: (out) => ({ returned: out.workdirs.length }),
  run: (visible: ReturnType<Registry["visibleTo"]>) => ({
    workdirs: visible.map(({ workdir, access }) => ({ alias: workdir.alias, description: workdir.description, access })),
  }),
})
