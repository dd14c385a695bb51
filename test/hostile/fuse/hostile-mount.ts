/** A mounted filesystem that can be told to hang, to fail or to read short. For root, where /dev/fuse is. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { detach } from "./mount.ts"

/** What requests are named by: an operation of the protocol ("READ", "FSYNC", …), the name of a file that is read, or "*" for all. */
type Requests = readonly string[]

export interface Behaviour {
  /** Not answered until the behaviour changes. Their callers can't even be killed: the kernel waits for the answer. */
  readonly hang?: Requests
  /** Answered with EIO. */
  readonly fail?: Requests
  /** Reads give no more bytes than this at a time. */
  readonly short?: number
}

/** The first message to the process behind it, … */
export interface Planted {
  readonly point: string
  readonly files: Readonly<Record<string, string>>
}

/** … and every further one; it repeats the serial when it has heard. */
export interface Told {
  readonly serial: number
  readonly behaviour: Behaviour
}

export interface HostileMount extends AsyncDisposable {
  readonly path: string
  /** From now on, and until told otherwise; {} is the best of behaviour. */
  behave(behaviour: Behaviour): Promise<void>
  /** The process behind it dies: everything that waits, and everything that comes, is ENOTCONN. */
  die(): Promise<void>
}

/** Mounts `files` at the directory `path`, which is made if need be. */
export async function mountHostile(path: string, files: Readonly<Record<string, string>>): Promise<HostileMount> {
  mkdirSync(path, { recursive: true })
  const waiting = new Map<number, () => void>()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "server.ts")], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    ipc: ({ serial }: { serial: number }) => waiting.get(serial)?.(),
  })
  let last = 0
  const answered = (serial: number): Promise<void> => {
    const gone = child.exited.then((status) => { throw new Error(`the filesystem ended with ${status}`) })
    return Promise.race([new Promise<void>((resolve) => waiting.set(serial, resolve)), gone])
  }
  const die = async (): Promise<void> => {
    child.kill("SIGKILL")
    await child.exited
  }
  const mounted: HostileMount = {
    path,
    async behave(behaviour) {
      const serial = ++last
      child.send({ serial, behaviour } satisfies Told)
      return answered(serial)
    },
    die,
    [Symbol.asyncDispose]: async () => {
      await die()
      detach(path)
    },
  }
  child.send({ point: path, files } satisfies Planted)
  await answered(0)
  return mounted
}
