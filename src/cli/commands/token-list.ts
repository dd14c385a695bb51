/** `serverfs token list`, and how rights are put into words. */
import type { TokenListing, TokenRights } from "../../state/tokens.ts"
import { table } from "../table.ts"

const HEADER = ["NAME", "ACCESS", "MOUNTS", "WORKDIRS", "CREATED", "EXPIRES", "LAST USED"]

/** "2026-11-30 12:00Z". */
function minute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")}Z`
}

function access({ readOnly }: TokenRights): string {
  return readOnly ? "read-only" : "read-write"
}

function all(names: readonly string[] | null): string {
  return names?.join(",") ?? "all"
}

/** "read-only, mounts /mcp, workdirs all, until 2026-11-30 12:00Z". */
export function rightsText(rights: TokenRights): string {
  const end = rights.expires === null ? "without an end" : `until ${minute(rights.expires)}`
  return `${access(rights)}, mounts ${all(rights.mounts)}, workdirs ${all(rights.workdirs)}, ${end}`
}

function row(token: TokenListing, now: number): readonly string[] {
  const { name, expires, created, lastUsed } = token
  const end = expires === null ? "never" : `${minute(expires)}${expires <= now ? " (past)" : ""}`
  return [name, access(token), all(token.mounts), all(token.workdirs), minute(created), end, lastUsed === null ? "never" : minute(lastUsed)]
}

/** One line a token under a header. */
export function listTokens(tokens: readonly TokenListing[], now: number): string {
  return table([HEADER, ...tokens.map((token) => row(token, now))])
}
