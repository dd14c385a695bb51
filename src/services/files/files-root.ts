/** The Files root as the tools hold it: what may be asked of it depends on the access that the tool declares. */
import type { FilesConfig, Limits, PolicyConfig } from "../../config/config.ts"
import { ToolError } from "../../errors.ts"
import type { DirectoryLanes } from "../../lane/directory-lanes.ts"
import type { Lanes } from "../../lane/lanes.ts"
import type { LaneContext } from "../../lane/pending-call.ts"
import type { Input, Mutation, Output, Read, TreeMutation } from "../../operations/index.ts"
import type { Access } from "../../principal.ts"
import { parseFilesPath } from "../../workdir/files-path.ts"
import { Policy } from "../../workdir/policy.ts"

/** What a tool with `access: "read"` is given: it has no write method to name. */
export interface ReadableRoot {
  read<N extends Read>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>>
}

/** What a tool with `access: "write"` is given, once the gate has found the root writable. */
export interface WritableRoot extends ReadableRoot {
  /** Bytes that a file may have. */
  readonly maxBytes: number
  /**
   * One check-and-commit under the mutation lock, asked for once every path and then the content have been judged.
   * @param paths all that the input names
   * @param checkPayload throws when the content is over a limit or no text; nothing has been touched by then. It is given
   * the first path as messages may show it
   */
  mutate<N extends Mutation>(op: N, input: Input<N>, paths: readonly string[], context: LaneContext, checkPayload?: (given: string) => void): Promise<Output<N>>
  /** A change of a whole tree, which asks for the lock itself, a piece at a time. */
  mutateTree<N extends TreeMutation>(op: N, input: Input<N>, paths: readonly string[], context: LaneContext): Promise<Output<N>>
}

export class FilesRoot implements WritableRoot {
  readonly access: Access
  readonly maxBytes: number
  readonly #names: readonly string[]
  readonly #policy: Policy
  readonly #lanes: DirectoryLanes

  constructor(config: FilesConfig, limits: Limits, lanes: Lanes) {
    const { configuredRoot, maxBytes, maxEntries } = config
    // Hidden and credential files stay reachable here (contract §6); what narrows it is this service's alone.
    const policy: PolicyConfig = { allowHidden: true, disableDefaultDeny: true, extraDenyGlobs: config.extraDenyGlobs }
    this.access = config.readOnly ? "read-only" : "read-write"
    this.maxBytes = maxBytes
    this.#names = [config.root, config.configuredRoot]
    this.#policy = new Policy(policy)
    this.#lanes = lanes.add({ name: "files", root: config.root, policy, limits, files: { configuredRoot, maxBytes, maxEntries } })
  }

  get available(): boolean {
    return this.#lanes.available
  }

  read<N extends Read>(op: N, input: Input<N>, context: LaneContext): Promise<Output<N>> {
    return this.#lanes.read(op, input, context)
  }

  async mutate<N extends Mutation>(op: N, input: Input<N>, paths: readonly string[], context: LaneContext, checkPayload?: (given: string) => void): Promise<Output<N>> {
    const [given] = this.#judge(paths)
    checkPayload?.(given ?? "")
    return this.#lanes.mutate(op, input, context)
  }

  async mutateTree<N extends TreeMutation>(op: N, input: Input<N>, paths: readonly string[], context: LaneContext): Promise<Output<N>> {
    this.#judge(paths)
    return this.#lanes.mutateTree(op, input, context)
  }

  /** All that can be said of paths by their text; what links make of them, the walk finds out. Returns them as messages may show them. */
  #judge(paths: readonly string[]): string[] {
    return paths.map((path) => {
      const { steps, given } = parseFilesPath(path, ...this.#names)
      this.#policy.judge(steps, given)
      if (steps.length === 0) throw new ToolError("ROOT_MUTATION_NOT_ALLOWED", { path: given })
      return given
    })
  }
}
