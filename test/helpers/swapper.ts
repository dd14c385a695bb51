/** A second thread that exchanges the names `a` and `b` in `dir`, as fast as it can, to the end of the scope. */
export interface Swapper extends AsyncDisposable {
  /** Exchanges so far. */
  readonly count: number
}

export function swapping(dir: string, a: string, b: string): Swapper {
  const shared = new SharedArrayBuffer(8)
  const state = new Int32Array(shared)
  const worker = new Worker(new URL("./swapper.worker.ts", import.meta.url).href)
  const stopped = new Promise((resolve) => worker.addEventListener("message", resolve))
  worker.postMessage({ dir, a, b, shared })
  return {
    get count() {
      return Atomics.load(state, 1)
    },
    [Symbol.asyncDispose]: async () => {
      Atomics.store(state, 0, 1)
      await stopped
      worker.terminate()
    },
  }
}
