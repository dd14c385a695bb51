/**
 * Turns among the tree operations of one lane. A flush may hold the whole thread for seconds; if another operation of the same
 * thread were granted the mutation lock meanwhile, it would hold that as long, and everybody else with it. So nobody asks for
 * the lock while a flush is due, and nobody flushes while the lock is asked for.
 */
import type { Call } from "../operation.ts"

/** Each lane is a thread with modules of its own, so this is one queue a lane. */
let last: Promise<void> = Promise.resolve()

/** First come, first served. */
export async function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  await before
  try {
    return await work()
  } finally {
    resolve()
  }
}

/** Runs `work`, which must be short and synchronous, under the process-wide mutation lock. */
export function locked<T>(call: Call, work: () => T): Promise<T> {
  return inTurn(() => call.locked(work))
}
