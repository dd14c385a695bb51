/** loadConfig(), though a file system may hang that it looks at: then it is done in a thread, which alone is held up. */
import { mayHang } from "./directories/may-hang.ts"
import { readMounts } from "./directories/mounts.ts"
import { quote } from "./fault.ts"
import { frozen } from "./frozen.ts"
import { loadConfig, type Loaded, type Sources } from "./load.ts"

/** Contract §7: what start-up waits for one directory. */
const PATIENCE_MS = 5000

interface Looking {
  readonly by: string
  readonly path: string
}

/** What is being looked at now, and at last the outcome. */
export type FromLoader = Looking | { readonly loaded: Loaded }

class Remote extends Error {}

/** As loadConfig(), but in a thread (30 ms) when any path leads to a file system that is not local. */
export async function loadInTime(sources: Sources): Promise<Loaded> {
  const mounts = readMounts()
  try {
    return loadConfig({ ...sources, watch: (_by, path) => { if (mayHang(path, mounts)) throw new Remote() } })
  } catch (error) {
    if (error instanceof Remote) return loadApart(sources)
    throw error
  }
}

/**
 * As loadConfig(), in a thread. A directory that does not answer is a fault, the only one then: what lies behind it, and whether
 * something overlaps with it, cannot be told.
 */
export function loadApart(sources: Sources, patienceMs = PATIENCE_MS): Promise<Loaded> {
  const { promise, resolve, reject } = Promise.withResolvers<Loaded>()
  const worker = new Worker(new URL("./load.worker.ts", import.meta.url).href)
  let timer: ReturnType<typeof setTimeout> | undefined
  const giveUp = (looking: Looking) => resolve({ ok: false, faults: [hung(looking, patienceMs)], warnings: [], means: null })
  worker.onmessage = ({ data }: MessageEvent<FromLoader>) => {
    clearTimeout(timer)
    if ("loaded" in data) resolve(frozen(data.loaded))
    else timer = setTimeout(giveUp, patienceMs, data)
  }
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage(sources)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}

function hung({ by, path }: Looking, patienceMs: number) {
  const fix = "bring back the server or disk behind it, unmount it (umount -l), or take it out of the configuration"
  return { variable: by, message: `${quote(path)} does not answer within ${patienceMs / 1000} s; ${fix}` }
}
