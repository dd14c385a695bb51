/** The revision token: opaque to the caller, changed by every change of content or metadata (contract §5, Revision). */

/** What a revision is made of, 64-bit exact. */
export interface Identity {
  readonly dev: bigint
  readonly ino: bigint
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly nlink: number
}

const FORM = /^v1:[0-9a-f]{16}$/

/** False for what revisionOf() never made; true says nothing about what it may be the revision of. */
export function isRevision(text: string): boolean {
  return FORM.test(text)
}

/** `v1:` and the first 16 hex digits of SHA-256 over the fields in decimal, joined by ":". */
export function revisionOf(of: Identity): string {
  const text = `${of.dev}:${of.ino}:${of.mode}:${of.uid}:${of.gid}:${of.size}:${of.mtimeNs}:${of.ctimeNs}:${of.nlink}`
  return `v1:${Bun.CryptoHasher.hash("sha256", text, "hex").slice(0, 16)}`
}
