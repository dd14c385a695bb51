/** What of the configuration must keep apart from what. */
import type { Config } from "../config.ts"
import type { Enabled } from "./candidate.ts"
import type { Claim, Claims } from "./overlap.ts"

export interface Claimants {
  readonly workdirs: readonly Enabled[]
  readonly files: Config["files"]
  readonly auditFile: Config["auditFile"]
  /** Absolute paths; null = none. */
  readonly stateDir: string | null
  readonly tokenFile: string | null
  readonly envFile: string | null
  readonly program: string
}

function claim(what: string, by: string | null, path: string | null | undefined): Claim[] {
  return path === null || path === undefined ? [] : [{ what, by, path }]
}

export function claimsOf({ workdirs, files, auditFile, stateDir, tokenFile, envFile, program }: Claimants): Claims {
  return {
    workdirs: workdirs.map(({ bound, workdir: { alias, root, readOnly } }) => ({ what: `the workdir '${alias}'`, by: bound, path: root, readOnly })),
    files: files && { what: "the Files root", by: "FILES_MCP_ROOT", path: files.root, readOnly: files.readOnly },
    guarded: [
      ...claim("the program's own directory", null, program),
      ...claim("the state directory", "SERVERFS_STATE_DIR", stateDir),
      ...claim("the audit file", "SERVERFS_AUDIT_FILE", auditFile?.path),
    ],
    secrets: [
      ...claim("the token's file", "SERVERFS_TOKEN_FILE", tokenFile),
      ...claim("the environment file", "--env-file", envFile),
    ],
  }
}
