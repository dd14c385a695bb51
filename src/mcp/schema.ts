/** JSON Schemas as clients are shown them: inside what Claude, ChatGPT, Gemini, Cursor and VS Code all accept. */
import { z } from "zod"

export type JsonSchema = { readonly [key: string]: unknown }

/** zod writes these, and no client needs them; some clients refuse a schema for them. */
const NOISE = new Set(["$schema", "additionalProperties"])

function cleaned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleaned)
  if (typeof node !== "object" || node === null) return node
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (NOISE.has(key)) continue
    if ((key === "maximum" || key === "minimum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue
    out[key] = cleaned(value)
  }
  return out
}

/** A part of a schema that is one itself; empty when there is none. */
export function asSchema(part: unknown): JsonSchema {
  return typeof part === "object" && part !== null ? (part as JsonSchema) : {}
}

/** The schema of one side of a tool. An argument with a default is optional for the caller. */
export function publishedSchema(schema: z.ZodObject, side: "input" | "output"): JsonSchema {
  const raw = z.toJSONSchema(schema, { io: side, target: "draft-2020-12", reused: "inline" })
  return cleaned(raw) as JsonSchema
}
