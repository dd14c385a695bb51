import type { Config } from "../config/config.ts"
import { whyOauthIsOff } from "../config/oauth-switch.ts"
import type { Wishes } from "./facts.ts"

/** What the configured features need beyond the directories. Only OAuth fetches: client metadata documents. Whether there is an operator secret is not known yet. */
export function wishesOf(config: Pick<Config, "oauth" | "publicUrl">, ripgrep: string | null): Wishes {
  return { ripgrep, connectsOut: whyOauthIsOff(config, true) === null }
}
