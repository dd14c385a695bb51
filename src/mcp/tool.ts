/** The contract of one tool: everything that is published, checked or audited is computed from this object, once. */
import type { z } from "zod"
import { type ErrorCode, ToolError } from "../errors.ts"
import type { MaybeJson } from "../json-text.ts"
import { type ArgumentParser, argumentParser } from "./arguments.ts"
import { type JsonSchema, publishedSchema } from "./schema.ts"
import type { CallContext } from "./service.ts"

type Counters = Readonly<Record<string, unknown>>
export type Advice = Readonly<Partial<Record<ErrorCode, string>>>

export interface ToolSpec<T, I extends z.ZodObject, O extends z.ZodObject> {
  /** As clients call it; the file is named for it, with dashes. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Checked once, in call.ts, before the path is looked at; also picks the handler's target type. */
  readonly access: "read" | "write"
  /** readOnlyHint is derived from access; nothing here reaches an open world. */
  readonly hints: { readonly destructive: boolean; readonly idempotent: boolean }
  /** Whether run() ever calls context.progress; a client that asks such a tool for progress is answered as a stream. */
  readonly reportsProgress?: boolean
  /** Whether run() starts a process of its own: fewer of those may go on at once. */
  readonly spawns?: boolean
  readonly input: I
  readonly output: O
  /** The codes a caller may meet besides the ones every tool shares. */
  readonly errors: readonly ErrorCode[]
  /** What would work instead, where this tool can say it better than the table of errors. */
  readonly advice?: Advice
  /** What the audit may know of a success. */
  readonly counters: (out: MaybeJson<z.output<O>>, input: z.output<I>) => Counters
  readonly run: (target: T, input: z.output<I>, context: CallContext) => Promise<MaybeJson<z.output<O>>> | MaybeJson<z.output<O>>
}

export interface Annotations {
  readonly title: string
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** A tool as the protocol layers see it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly access: "read" | "write"
  readonly annotations: Annotations
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly reportsProgress: boolean
  readonly spawns: boolean
  readonly errors: readonly ErrorCode[]
  /** Raw arguments → what run() takes. Throws INVALID_ARGUMENTS. */
  readonly parse: ArgumentParser
  counters(out: object, input: object): Counters
  run(target: unknown, input: object, context: CallContext): Promise<object>
}

/** Makes a tool of its specification. `T` is what the service's resolve() gives for this access. */
export function defineTool<T, I extends z.ZodObject, O extends z.ZodObject>(spec: ToolSpec<T, I, O>): Tool {
  const inputSchema = publishedSchema(spec.input, "input")
  return Object.freeze({
    name: spec.name,
    title: spec.title,
    description: spec.description,
    access: spec.access,
    annotations: {
      title: spec.title,
      readOnlyHint: spec.access === "read",
      destructiveHint: spec.hints.destructive,
      idempotentHint: spec.hints.idempotent,
      openWorldHint: false,
    },
    inputSchema,
    outputSchema: publishedSchema(spec.output, "output"),
    reportsProgress: spec.reportsProgress ?? false,
    spawns: spec.spawns ?? false,
    errors: spec.errors,
    parse: argumentParser(spec.input, inputSchema),
    // One list holds tools of many types: the parsed input and the resolved target are what the spec was typed for.
    counters: (out: object, input: object) => spec.counters(out as MaybeJson<z.output<O>>, input as z.output<I>),
    run: async (target: unknown, input: object, context: CallContext) => {
      try {
        return await spec.run(target as T, input as z.output<I>, context)
      } catch (thrown) {
        throw thrown instanceof ToolError ? thrown.advised(spec.advice?.[thrown.code]) : thrown
      }
    },
  })
}
