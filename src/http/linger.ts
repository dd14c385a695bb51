/**
 * An answer to a request that is still being sent. Bun closes the connection as soon as an answer is complete, and a close with bytes
 * unread is a reset, which takes the answer with it (measured: a client that writes 9 MiB never sees its 413). So the whole answer is
 * sent at once, and is complete only when the rest of the request has arrived and been dropped.
 */

/** A client that is not done by then is cut off. */
const LINGER_MS = 5_000

type Rest = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">

/** @param rest of the request's body; nobody else may read it any more */
export async function lingering(answer: Response, rest: Rest): Promise<Response> {
  const bytes = await answer.bytes()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes)
      await drained(rest)
      controller.close()
    },
  })
  return new Response(body, { status: answer.status, headers: answer.headers })
}

async function drained(rest: Rest): Promise<void> {
  const timer = setTimeout(() => void rest.cancel().catch(() => {}), LINGER_MS)
  try {
    while (!(await rest.read()).done);
  } catch {
    // The client has gone.
  } finally {
    clearTimeout(timer)
  }
}
