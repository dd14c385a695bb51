import { z } from "zod"
import { ERRORS, ToolError } from "../../src/errors.ts"
import type { Service } from "../../src/mcp/service.ts"
import { defineTool, type Tool } from "../../src/mcp/tool.ts"
import { narrow, type Principal } from "../../src/principal.ts"

const READ = { destructive: false, idempotent: true }

/** The note board that the fixture's tools work on: two aliases, one of them read-only. */
export interface Board {
  readonly notes: Map<string, string>
}

const board = z.string().min(1)

export const readNote = defineTool({
  name: "read_note",
  title: "Read a note",
  description: "The text of one note.",
  access: "read",
  hints: READ,
  input: z.object({ board, path: z.string(), from: z.int().min(0).default(0), loud: z.boolean().default(false) }),
  output: z.object({ path: z.string(), text: z.string(), from: z.int(), loud: z.boolean(), next: z.int().nullable() }),
  errors: ["PATH_NOT_FOUND"],
  counters: (out) => ({ bytes_returned: out.text.length }),
  run: ({ notes }: Board, { path, from, loud }) => {
    const text = notes.get(path)
    if (text === undefined) throw new ToolError("PATH_NOT_FOUND", { path })
    return { path, text: text.slice(from), from, loud, next: null }
  },
})

export const writeNotes = defineTool({
  name: "write_notes",
  title: "Write notes",
  description: "Writes notes, replacing what they held.",
  access: "write",
  hints: { destructive: true, idempotent: true },
  input: z.object({ board, notes: z.array(z.object({ path: z.string(), text: z.string(), times: z.int().min(1).default(1) })).min(1) }),
  output: z.object({ written: z.int() }),
  errors: ["WRITE_TOO_LARGE"],
  counters: (out) => ({ returned: out.written }),
  run: (target: Board, { notes }) => {
    for (const { path, text, times } of notes) target.notes.set(path, text.repeat(times))
    return { written: notes.length }
  },
})

/** Reports progress `steps` times, `every` ms apart, and ends early when the client goes away. */
export const countSlowly = defineTool({
  name: "count_slowly",
  title: "Count slowly",
  description: "Counts, and says how far it is.",
  access: "read",
  hints: READ,
  reportsProgress: true,
  input: z.object({ board, steps: z.int().min(0).default(3), every: z.int().min(0).default(5) }),
  output: z.object({ counted: z.int() }),
  errors: [],
  counters: (out) => ({ returned: out.counted }),
  run: async (_target: Board, { steps, every }, { signal, progress }) => {
    for (let done = 1; done <= steps; done++) {
      await Bun.sleep(every)
      signal.throwIfAborted()
      progress?.(done, steps)
    }
    return { counted: steps }
  },
})

export const failOddly = defineTool({
  name: "fail_oddly",
  title: "Fail oddly",
  description: "Throws what no tool should.",
  access: "read",
  hints: READ,
  input: z.object({ board, text: z.string().default("") }),
  output: z.object({}),
  errors: [],
  counters: () => ({}),
  run: () => {
    throw new TypeError("a secret of the inside")
  },
})

export const doNothing = defineTool({
  name: "do_nothing",
  title: "Do nothing",
  description: "Answers at once.",
  access: "read",
  hints: READ,
  input: z.object({ size: z.int().min(0).default(0) }),
  output: z.object({ text: z.string() }),
  errors: [],
  counters: () => ({}),
  run: (_target, { size }) => ({ text: "x".repeat(size) }),
})

export interface FixtureOptions {
  readonly name?: string
  readonly mount?: string
  readonly tools?: readonly Tool[]
  readonly resources?: boolean
}

/** A service like the real ones, small enough to be read in one go: boards "main" (read-write) and "ro". */
export function fixtureService({ name = "notes", mount = "/mcp", tools, resources = true }: FixtureOptions = {}): Service {
  const boards = new Map([
    ["main", { access: "read-write", value: { notes: new Map([["a.txt", "one"], ["sub/é b.txt", "two"]]) } }],
    ["ro", { access: "read-only", value: { notes: new Map([["a.txt", "three"]]) } }],
  ] as const)
  const visible = (alias: string, principal: Principal) => principal.workdirs?.has(alias) !== false
  const find = (alias: unknown, principal: Principal) => {
    const board = typeof alias === "string" && visible(alias, principal) ? boards.get(alias as "main" | "ro") : undefined
    if (board === undefined) throw new ToolError("WORKDIR_NOT_FOUND", { detail: `no board '${String(alias)}'` })
    return { access: narrow(board.access, principal), value: board.value }
  }
  const text = (value: unknown, field: string) => (typeof value === "string" ? { [field]: value } : {})
  return {
    name,
    title: "Notes",
    mount,
    instructions: "Boards with notes.",
    tools: tools ?? [readNote, writeNotes, countSlowly, failOddly, doNothing],
    resources: !resources
      ? null
      : {
          uriTemplate: "notes://{board}/{+path}",
          name: "note",
          description: "One note, whole.",
          mimeType: "text/plain",
          parse: (uri) => {
            const [, board, path] = /^notes:\/\/([^/]+)\/(.+)$/.exec(uri) ?? []
            if (board === undefined || path === undefined) throw new ToolError("INVALID_ARGUMENTS", { detail: "uri is not one of this template" })
            const decoded = decodeURIComponent(path)
            return {
              subject: { workdir: board, path: decoded },
              read: async ({ principal }) => {
                const note = find(board, principal).value.notes.get(decoded)
                if (note === undefined) throw new ToolError("PATH_NOT_FOUND", { path: decoded })
                return { text: note, counters: { bytes_returned: note.length } }
              },
            }
          },
        },
    statusOf: (code) => ERRORS[code].status,
    resolve: (input, principal) => ("board" in input ? find(input["board"], principal) : { access: "read-only", value: null }),
    subject: (args) => ({ ...text(args["board"], "workdir"), ...text(args["path"], "path") }),
    readOnlyFor: ({ readOnly }) => readOnly,
    health: (principal) => [...boards.keys()].filter((alias) => visible(alias, principal)).map((alias) => ({ name: alias, status: "ok" as const })),
  }
}
