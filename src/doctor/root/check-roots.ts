import { about, type Finding } from "../finding.ts"
import type { Target } from "./target.ts"

const DEADLINE_MS = 5_000

/** Each directory in a thread of its own, all at once. One whose file system hangs is an error like any other. */
export async function checkRoots(targets: readonly Target[], deadlineMs = DEADLINE_MS): Promise<Finding[]> {
  const examined = await Promise.all(targets.map((target) => examineApart(target, deadlineMs)))
  return targets.flatMap((target, i) => examined[i] ?? [hung(target, deadlineMs)])
}

function hung({ name, path }: Target, deadlineMs: number): Finding {
  const message = `${path} does not answer within ${deadlineMs / 1_000} s`
  return about("root", name).error(message, "bring back the server behind it, or unmount it (umount -l), or take it out of the configuration")
}

/** null when the deadline came first. */
function examineApart(target: Target, deadlineMs: number): Promise<Finding[] | null> {
  const worker = new Worker(new URL("./root.worker.ts", import.meta.url).href)
  const { promise, resolve } = Promise.withResolvers<Finding[] | null>()
  const failed = (reason: string) => about("root", target.name).error(`${target.path} could not be examined (${reason})`, "see that nothing else is changing it, and run doctor again")
  const timer = setTimeout(() => resolve(null), deadlineMs)
  worker.onmessage = ({ data }: MessageEvent<Finding[]>) => resolve(data)
  worker.onerror = ({ message }) => resolve([failed(message)])
  worker.postMessage(target)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}
