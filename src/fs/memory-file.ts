/** A program that lies nowhere on disk: memfd_create(2), sealed, so that nobody can change it any more. */
import { E, strerror } from "./errno.ts"
import { Fd } from "./fd.ts"
import { MFD, SEAL } from "./flags.ts"
import { addSeals, memfdCreate, write } from "./libc.unsafe.ts"

const SEALED = SEAL.SEAL | SEAL.SHRINK | SEAL.GROW | SEAL.WRITE

function succeeded(status: number, call: string): number {
  if (status < 0) throw new Error(`${call}: ${strerror(-status)}`)
  return status
}

/** MFD_EXEC is new in Linux 6.3, where vm.memfd_noexec may ask for it; older kernels refuse what they do not know. */
function create(name: string): Fd {
  const asked = memfdCreate(name, MFD.ALLOW_SEALING | MFD.EXEC)
  return Fd.own(succeeded(asked === -E.EINVAL ? memfdCreate(name, MFD.ALLOW_SEALING) : asked, "memfd_create"))
}

/**
 * Its procPath can be executed by any thread of this process for as long as the descriptor is open.
 * Throws with the system's own words; EACCES where vm.memfd_noexec is 2.
 */
export function memoryProgram(name: string, program: Uint8Array): Fd {
  const fd = create(name)
  for (let done = 0; done < program.length;) done += succeeded(write(fd.number, program.subarray(done)), "write")
  succeeded(addSeals(fd.number, SEALED), "fcntl")
  return fd
}
