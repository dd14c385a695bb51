/** Who is calling, and what they may reach. Made by http/auth alone; every gate reads it. */
export interface Principal {
  /** The token's or grant's name, as the audit shows it; never its text. */
  readonly name: string
  /** Mounts it may call, such as "/mcp"; null = all. */
  readonly mounts: ReadonlySet<string> | null
  /** Aliases it may see; null = all. */
  readonly workdirs: ReadonlySet<string> | null
  readonly readOnly: boolean
}

export type Access = "read-only" | "read-write"

/** The access that is left of a directory's own once the principal's is applied: the one function behind gate and listing. */
export function narrow(access: Access, principal: Principal): Access {
  return principal.readOnly ? "read-only" : access
}
