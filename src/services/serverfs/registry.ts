/** The workdirs that are configured, and which of them a principal may see. */
import { ToolError } from "../../errors.ts"
import { type Access, narrow, type Principal } from "../../principal.ts"
import type { Workdir } from "./workdir.ts"

export class Registry {
  readonly #workdirs: ReadonlyMap<string, Workdir>

  /** @param workdirs in slot order */
  constructor(workdirs: readonly Workdir[]) {
    this.#workdirs = new Map(workdirs.map((workdir) => [workdir.alias, workdir]))
  }

  /** Throws WORKDIR_NOT_FOUND, the same for an alias that does not exist and for one that the principal lacks. */
  find(alias: string, principal: Principal): { workdir: Workdir; access: Access } {
    const workdir = this.#workdirs.get(alias)
    if (workdir === undefined || !mayReach(principal, alias)) throw new ToolError("WORKDIR_NOT_FOUND", { path: alias })
    return { workdir, access: narrow(workdir.access, principal) }
  }

  /** In slot order. */
  visibleTo(principal: Principal): { workdir: Workdir; access: Access }[] {
    const visible = [...this.#workdirs.values()].filter(({ alias }) => mayReach(principal, alias))
    return visible.map((workdir) => ({ workdir, access: narrow(workdir.access, principal) }))
  }
}

function mayReach(principal: Principal, alias: string): boolean {
  return principal.workdirs === null || principal.workdirs.has(alias)
}
