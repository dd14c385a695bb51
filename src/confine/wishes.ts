import type { Config } from "../config/config.ts"
import type { Wishes } from "./facts.ts"

/** What the configured features need beyond the directories. Only OAuth fetches: client metadata documents, where remote clients sign in. */
export function wishesOf({ oauth, publicUrl }: Pick<Config, "oauth" | "publicUrl">, ripgrep: string | null): Wishes {
  return { ripgrep, connectsOut: oauth === "auto" && publicUrl?.startsWith("https://") === true }
}
