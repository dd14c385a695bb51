/** Not a tool's: gives the event loop a descriptor of the directory, which is this process's own and only opened here because opening may wait. */
import { Resident } from "../fs/resident.ts"
import type { Operation } from "./operation.ts"

export interface LendRootOutput {
  /** For Resident.take(); null = nothing is to be asked of this directory but in a lane. */
  readonly descriptor: number | null
}

export const lendRoot: Operation<Record<never, never>, LendRootOutput> = ({ root }) => ({ descriptor: Resident.lend(root) })
