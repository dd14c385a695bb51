/** A workdir as the tools hold it: what may be asked of it depends on the access that the tool declares. */
import type { Limits, WorkdirConfig } from "../../config/config.ts"
import { type ErrorCode, ToolError } from "../../errors.ts"
import type { DirectoryLanes } from "../../lane/directory-lanes.ts"
import type { LaneContext } from "../../lane/pending-call.ts"
import type { Input, Mutation, Output, Read } from "../../operations/index.ts"
import type { Access } from "../../principal.ts"
import { OffsetCache } from "../../workdir/offset-cache.ts"
import { Policy } from "../../workdir/policy.ts"
import { leaveOut, parsePath } from "../../workdir/relpath.ts"

/** What a tool with `access: "read"` is given: it has no write method to name. */
export interface ReadableWorkdir {
  readonly alias: string
  readonly limits: Limits
  readonly offsets: OffsetCache
  read<N extends Read>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>>
}

/** What a tool with `access: "write"` is given, once the gate has found the workdir writable. */
export interface WritableWorkdir extends ReadableWorkdir {
  /**
   * Runs a mutation. The path is judged first, then the payload, then the lock is queued for (contract §5, the order of the gates).
   * @param checkPayload throws when the content is over a limit or no text; nothing has been touched by then
   */
  mutate<N extends Mutation>(op: N, input: Input<N> & { readonly path: string }, context: LaneContext, checkPayload?: () => void): Promise<Output<N>>
}

const ABSENT: readonly ErrorCode[] = ["PATH_NOT_FOUND", "PARENT_NOT_FOUND"]

/** Agents repeat the alias in the path: where nothing is at such a path, the refusal says so. */
function explained(refusal: unknown, alias: string): unknown {
  if (!(refusal instanceof ToolError) || !ABSENT.includes(refusal.code)) return refusal
  const { path = "" } = refusal.about
  return `${path}/`.startsWith(`${alias}/`) ? refusal.advised(leaveOut("the workdir's alias", path.slice(alias.length))) : refusal
}

export class Workdir implements WritableWorkdir {
  readonly alias: string
  readonly description: string | null
  readonly access: Access
  readonly limits: Limits
  readonly offsets = new OffsetCache()
  readonly #policy: Policy
  readonly #lanes: DirectoryLanes

  constructor(config: WorkdirConfig, limits: Limits, lanes: DirectoryLanes) {
    this.alias = config.alias
    this.description = config.description
    this.access = config.readOnly ? "read-only" : "read-write"
    this.limits = limits
    this.#policy = new Policy(config.policy)
    this.#lanes = lanes
  }

  get available(): boolean {
    return this.#lanes.available
  }

  read<N extends Read>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#lanes.read(op, input, context).catch(this.#refuse)
  }

  async mutate<N extends Mutation>(op: N, input: Input<N> & { readonly path: string }, context: LaneContext, checkPayload?: () => void): Promise<Output<N>> {
    const at = this.#policy.admit(parsePath(input.path))
    if (at.isRoot) throw new ToolError("ROOT_MUTATION_NOT_ALLOWED", { path: input.path })
    checkPayload?.()
    return this.#lanes.mutate(op, input, context).catch(this.#refuse)
  }

  readonly #refuse = (refusal: unknown): never => {
    throw explained(refusal, this.alias)
  }
}
