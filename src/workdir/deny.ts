/** The built-in deny list (seed §4 and contract §4 [+]): names that hold credentials, and the directories they live in. */

const NAMES = [
  ".env", ".env.*", "*.env", "*.pem", "*.key", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
  ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx",
]

const DIRECTORIES = [".ssh", ".aws", ".gnupg", ".kube", ".docker"]

export const DEFAULT_DENY_GLOBS: readonly string[] = [...NAMES, ...DIRECTORIES]

/** An operator's glob as a glob on one name: `NAME/**` means any component that matches NAME, as does NAME alone. */
export function asNameGlob(glob: string): string {
  return glob.endsWith("/**") ? glob.slice(0, -3) : glob
}
