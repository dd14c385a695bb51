/** A search that lasts for as long as a test wants: its ripgrep is stopped. */
import { until } from "../helpers/product.ts"
import { childrenOf } from "./proc.ts"

export interface HeldSearch<T> {
  readonly answer: Promise<T>
  /** The stopped ripgrep. */
  readonly child: number
  goOn(): void
}

/** @param start makes the call; again, should ripgrep have been too quick to be caught */
export async function holdSearch<T>({ pid }: { readonly pid: number }, start: () => Promise<T>): Promise<HeldSearch<T>> {
  const others = new Set(childrenOf(pid))
  for (;;) {
    const answer = start()
    let over = false
    const end = (): void => { over = true }
    answer.then(end, end)
    const child = await until(10_000, () => (over ? 0 : childrenOf(pid, "rg").find((each) => !others.has(each))))
    if (child === 0) continue
    process.kill(child, "SIGSTOP")
    return { answer, child, goOn: () => void process.kill(child, "SIGCONT") }
  }
}

/** Resolves once this child has ended and been reaped. */
export async function reaped({ pid }: { readonly pid: number }, child: number): Promise<void> {
  await until(5000, () => (childrenOf(pid).includes(child) ? undefined : true))
}
