/** What of the configuration must keep apart from what. */
import { join } from "node:path"
import type { Config } from "../config.ts"
import type { Enabled } from "./candidate.ts"
import type { Claim, Claims } from "./overlap.ts"
import { STATE_FILES } from "./state-files.ts"

/** Absolute paths; null = none. */
interface SecretFiles {
  readonly tokenFile: string | null
  readonly envFile: string | null
}

interface CredentialFiles extends SecretFiles {
  readonly stateDir: string | null
}

export interface Claimants extends CredentialFiles {
  readonly workdirs: readonly Enabled[]
  readonly files: Config["files"]
  readonly auditFile: Config["auditFile"]
  readonly program: string
}

function claim(what: string, by: string | null, path: string | null | undefined): Claim[] {
  return path === null || path === undefined ? [] : [{ what, by, path }]
}

/** Files that hold or guard credentials. */
export function credentialFiles({ stateDir, ...secrets }: CredentialFiles): readonly Claim[] {
  const state = stateDir === null ? [] : STATE_FILES.map((name) => ({ what: `${name} in the state directory`, by: "SERVERFS_STATE_DIR", path: join(stateDir, name) }))
  return [...secretFiles(secrets), ...state]
}

function secretFiles({ tokenFile, envFile }: SecretFiles): Claim[] {
  return [
    ...claim("the token's file", "SERVERFS_TOKEN_FILE", tokenFile),
    ...claim("the environment file", "--env-file", envFile),
  ]
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
    secrets: secretFiles({ tokenFile, envFile }),
  }
}
