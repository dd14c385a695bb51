/** mount(2) and umount2(2). Needs CAP_SYS_ADMIN. */
import { dlopen, ptr } from "bun:ffi"

const { symbols: libc } = dlopen("libc.so.6", {
  mount: { args: ["ptr", "ptr", "ptr", "u64", "ptr"], returns: "i32" },
  umount2: { args: ["ptr", "i32"], returns: "i32" },
})

const MS_NOSUID = 2, MS_NODEV = 4, MNT_DETACH = 2

const cString = (text: string): Uint8Array => Buffer.from(`${text}\0`)

/** Mounts a filesystem of this type at `point`. */
export function mount(type: string, point: string, options: string): void {
  const name = cString(type), at = cString(point), data = cString(options)
  if (libc.mount(ptr(name), ptr(at), ptr(name), BigInt(MS_NOSUID | MS_NODEV), ptr(data)) < 0) throw new Error(`${type} cannot be mounted: root (CAP_SYS_ADMIN) is needed`)
}

/** Takes the topmost mount at `point` out of the tree, busy or not. False when there is none. */
export function detach(point: string): boolean {
  return libc.umount2(ptr(cString(point)), MNT_DETACH) === 0
}
