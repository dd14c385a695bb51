/** Whether the running kernel can confine, and how well. */
import { constants } from "node:os"
import { errnoName } from "./errno-name.ts"
import { mappedCode } from "./facts.ts"
import { bindLandlock, type Landlock } from "./landlock.unsafe.ts"

export type Kernel =
  | { readonly abi: number; readonly landlock: Landlock; readonly reason: null }
  | { readonly abi: 0; readonly landlock: null; readonly reason: string }

const { ENOSYS, EOPNOTSUPP } = constants.errno
const LIBC = /\/(?:libc\.so\.6|libc-[\d.]+\.so|ld-musl-[^/]+|libc\.musl-[^/]+)$/

/** Asks the kernel for its Landlock ABI. Never throws: what is in the way is the reason. */
export function kernelHere(): Kernel {
  try {
    const libc = mappedCode().find((path) => LIBC.test(path))
    if (libc === undefined) return unfit("no C library is mapped")
    const landlock = bindLandlock(libc)
    const abi = landlock.abi()
    return abi > 0 ? { abi, landlock, reason: null } : unfit(explained(abi))
  } catch (error) {
    return unfit(error instanceof Error ? error.message : String(error))
  }
}

function unfit(reason: string): Kernel {
  return { abi: 0, landlock: null, reason }
}

function explained(status: number): string {
  if (status === -ENOSYS) return "there is no Landlock: the kernel was built without it, or the container runtime hides it"
  if (status === -EOPNOTSUPP) return "Landlock is switched off at boot (the kernel parameter lsm= must name it)"
  return `Landlock is refused (${errnoName(status)})`
}
