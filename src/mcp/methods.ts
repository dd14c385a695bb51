/** What the gateway answers to each JSON-RPC method, whichever era asks. */
import { ToolError } from "../errors.ts"
import type { Caller, Calls } from "./call.ts"
import type { ProgressToken } from "./progress.ts"
import { INVALID_PARAMS, resourceError, RpcError, toolResult } from "./result.ts"
import type { ResourceChannel, Service } from "./service.ts"
import type { Tool } from "./tool.ts"

type Params = Readonly<Record<string, unknown>>
type Result = Record<string, unknown>

/** Throws RpcError for what is not a tool's own refusal. */
export type Method = (params: Params, caller: Caller) => Result | Promise<Result>

/** Answers one POST whose body has been read and parsed. */
export type Endpoint = (request: Request, body: unknown, caller: Caller) => Promise<Response>

export interface Methods {
  /** By name. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly table: ReadonlyMap<string, Method>
  /** The token under which a request wants progress told, if it is a call of a tool that can report any. */
  progressToken(method: string, params: unknown): ProgressToken | undefined
}

/** Everything that can be made once is made here, so that a call builds nothing but its own answer. */
export function createMethods(service: Service, calls: Calls): Methods {
  const tools = new Map(service.tools.map((tool) => [tool.name, tool]))
  const all = offer(service.tools)
  const reading = offer(service.tools.filter((tool) => tool.access === "read"))
  const offeredTo = ({ principal }: Caller): Offer => (service.readOnlyFor(principal) ? reading : all)
  const table = new Map<string, Method>([
    ["tools/list", (_params, caller) => offeredTo(caller).listing],
    [
      "tools/call",
      async (params, caller) => {
        const tool = toolOf(tools, params)
        if (tool === undefined) throw new RpcError(INVALID_PARAMS, `Unknown tool: ${shown(params["name"])}. To mend it: name one of ${offeredTo(caller).names}`)
        return toolResult(await calls.tool(service, tool, params["arguments"] ?? {}, caller))
      },
    ],
    ...(service.resources === null ? [] : resourceMethods(service, service.resources, calls)),
  ])
  return {
    tools,
    table,
    progressToken: (method, params) => {
      const token = method === "tools/call" ? member(member(params, "_meta"), "progressToken") : undefined
      if (typeof token !== "string" && typeof token !== "number") return undefined
      return toolOf(tools, params)?.reportsProgress ? token : undefined
    },
  }
}

/** The tools that a caller is shown. */
interface Offer {
  readonly listing: Result
  /** For messages. */
  readonly names: string
}

function offer(tools: readonly Tool[]): Offer {
  const listed = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  }))
  return { listing: { tools: listed }, names: tools.map(({ name }) => name).join(", ") }
}

function resourceMethods(service: Service, channel: ResourceChannel, calls: Calls): [string, Method][] {
  const { uriTemplate, name, description, mimeType } = channel
  const templates = { resourceTemplates: [{ uriTemplate, name, description, mimeType }] }
  return [
    ["resources/list", () => ({ resources: [] })],
    ["resources/templates/list", () => templates],
    [
      "resources/read",
      async (params, caller) => {
        const { uri } = params
        const outcome = await calls.resource(service, channel, uri, caller)
        if (outcome instanceof ToolError) throw resourceError(outcome, uri)
        return { contents: [{ uri, mimeType, text: outcome.text }] }
      },
    ],
  ]
}

function toolOf(tools: ReadonlyMap<string, Tool>, params: unknown): Tool | undefined {
  const name = member(params, "name")
  return typeof name === "string" ? tools.get(name) : undefined
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}

const SHOWN_CHARS = 100

function shown(name: unknown): string {
  return typeof name === "string" ? name.slice(0, SHOWN_CHARS) : "(no name)"
}
