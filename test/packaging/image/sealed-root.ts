/** A root as a container runtime would give it: read-only, no devices but three, no capabilities, no privileges to gain. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Image } from "./build-image.ts"
import { host } from "./host.ts"

const DEVICES = Object.fromEntries(["/dev/null", "/dev/zero", "/dev/urandom"].map((path) => [path, path]))

/** Where in the root → what of this machine. */
type Mounts = Readonly<Record<string, string>>

export interface SealedRoot extends Disposable {
  /** In front of a command: runs it in the root, in the caller's directory there, under the caller's process id. */
  readonly enter: string
}

function mountPoint(root: string, target: string, source: string): string {
  const at = join(root, target)
  const isDirectory = statSync(source).isDirectory()
  mkdirSync(isDirectory ? at : dirname(at), { recursive: true })
  if (!isDirectory) writeFileSync(at, "")
  return at
}

/** Seals the root, for the mount namespace of this process. */
export function seal({ root }: Image, scratch: string, { writable, readOnly }: { writable: Mounts; readOnly: Mounts }): SealedRoot {
  host("mount", "--bind", root, root)
  for (const [target, source] of Object.entries({ ...writable, ...readOnly, ...DEVICES })) host("mount", "--bind", source, mountPoint(root, target, source))
  for (const target of Object.keys(readOnly)) host("mount", "-o", "remount,bind,ro,nosuid", root + target)
  host("mount", "-t", "proc", "proc", mountPoint(root, "/proc", "/proc"))
  host("mount", "-o", "remount,bind,ro,nosuid,nodev", root)
  const enter = join(scratch, "enter")
  writeFileSync(enter, `#!/bin/sh\nexec setpriv --no-new-privs unshare --user --map-current-user --root='${root}' --wd="$PWD" -- "$@"\n`)
  chmodSync(enter, 0o755)
  return { enter, [Symbol.dispose]: () => void host("umount", "--recursive", "--lazy", root) }
}
