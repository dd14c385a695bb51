/** Where a command line client waits for the browser to come back. */
export interface Callback extends Disposable {
  readonly url: string
  /** What came with the first visit. */
  readonly answer: Promise<URLSearchParams>
}

export function openCallback(): Callback {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname !== "/callback") return new Response(null, { status: 404 })
      resolve(searchParams)
      return new Response("You can close this page.")
    },
  })
  return { url: `http://127.0.0.1:${server.port}/callback`, answer: promise, [Symbol.dispose]: () => void server.stop(true) }
}
