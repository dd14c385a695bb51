/** What the protocol layers see of a service: data, made once at start. They import no service. */
import type { ErrorCode } from "../errors.ts"
import type { Access, Principal } from "../principal.ts"
import type { Begin } from "./place.ts"
import type { Tool } from "./tool.ts"

/** What a call is made with besides its arguments. */
export interface CallContext {
  readonly principal: Principal
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  /** On the clock of performance.now(), ms: the call must have been answered by then. */
  readonly deadline: number
  /** Set only when the client asked for progress: entries done so far, total if known. */
  readonly progress?: ((done: number, total?: number) => void) | undefined
  /** For what may go on after the call was answered, as when its client has gone: it holds the call's place among those in flight. */
  readonly begin: Begin
}

/** The thing a tool works on, with the access that the principal has to it. */
export interface Target {
  readonly access: Access
  readonly value: unknown
}

/** What the audit says a call was about; each only when it was given as a string. */
export interface Subject {
  readonly workdir?: string
  readonly path?: string
  readonly target?: string
}

export interface ResourceChannel {
  readonly uriTemplate: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** What a URI names: `subject` for the audit, and how it is read whole. Throws ToolError. */
  parse(uri: string): { readonly subject: Subject; read(context: CallContext): Promise<ResourceText> }
}

export interface ResourceText {
  readonly text: string
  readonly counters: Readonly<Record<string, unknown>>
}

export interface Service {
  /** In the audit and in serverInfo: "serverfs", "serverfs-files". */
  readonly name: string
  readonly title: string
  /** Where it is reached: "/mcp". Unique. */
  readonly mount: string
  /** Under 512 characters. */
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly resources: ResourceChannel | null
  /** Statuses that differ from the ERRORS table on this service's REST channel. */
  readonly statusOf: (code: ErrorCode) => number
  /** Finds the target of a call. Throws WORKDIR_NOT_FOUND. */
  resolve(input: Readonly<Record<string, unknown>>, principal: Principal): Target
  /** From the raw arguments, refused ones included. */
  subject(args: Readonly<Record<string, unknown>>): Subject
  /** True when the principal can write nowhere it can reach: mutation tools are then not shown to it. */
  readOnlyFor(principal: Principal): boolean
  /** Aliases with their health, for /readyz with a credential. */
  health(principal: Principal): readonly { readonly name: string; readonly status: "ok" | "unavailable" }[]
}
