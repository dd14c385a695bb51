/** Not a tool's: gives the event loop a descriptor of the directory, which is opened here because opening may wait. */
import { type Lent, Resident } from "../fs/resident.ts"
import type { Operation } from "./operation.ts"

export interface LendRootOutput {
  /** For Resident.take(); null = nothing is to be asked of this directory but in a lane. */
  readonly lent: Lent | null
}

export const lendRoot: Operation<Record<never, never>, LendRootOutput> = ({ root }) => ({ lent: Resident.lend(root) })
