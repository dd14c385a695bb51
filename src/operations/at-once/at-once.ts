/** The shape of what the event loop may do by itself. */
import type { Resident } from "../../fs/resident.ts"
import type { Policy } from "../../workdir/policy.ts"
import type { DirectorySettings } from "../operation.ts"

/** A directory, as far as it is in memory. */
export interface Near {
  readonly resident: Resident
  readonly policy: Policy
  readonly settings: DirectorySettings
}

/** Decoding and writing out more than that is to be done beside the event loop, whatever it costs to hand it over. */
export const MAX_READ_BYTES = 131_072

/** Its operation's answer, when that can be had without waiting. Throws WouldWait, or a refusal that is the lane's to say: it looks again. */
export type AtOnce<I, O> = (near: Near, input: I) => O
