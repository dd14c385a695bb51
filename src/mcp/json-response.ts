/** Answers in JSON, each sent in one piece. */

/**
 * From this size on (the 16 KiB of its cork buffer, less room for headers) Bun sends an answer that was not ready at once in some 20 pieces, each
 * part of the head by itself: 33 KB took 3 to 5 times as long as at once (measured). A direct stream is held together up to its high-water mark.
 */
const BUN_CORKS_BELOW = 15_360

const JSON_TYPE = "application/json"
const STREAM_TYPE = "text/event-stream"

/** Told of a large answer's bytes; what it gives is called when they have been sent, or never will be. */
export type Unsent = (bytes: number) => () => void

/** @param pieces of a whole body */
export function jsonResponse(pieces: readonly string[], unsent: Unsent): Response {
  let bytes = 0
  for (const piece of pieces) bytes += Buffer.byteLength(piece)
  const body = bytes < BUN_CORKS_BELOW ? pieces.join("") : corked(pieces, bytes, unsent(bytes))
  return new Response(body, { headers: { "Content-Type": JSON_TYPE } })
}

/** The same for an answer that an SDK has made: a whole one in JSON goes out in one piece, and of a stream is counted what has not been sent. */
export async function accounted(response: Response, unsent: Unsent): Promise<Response> {
  const { status, headers, body } = response
  if (body !== null && headers.get("content-type") === STREAM_TYPE) return new Response(counted(body, unsent), response)
  if (status !== 200 || headers.get("content-type") !== JSON_TYPE) return response
  const whole = jsonResponse([await response.text()], unsent)
  for (const [name, value] of headers) whole.headers.set(name, value)
  return whole
}

interface Waiting {
  readonly event: Uint8Array
  readonly sent: () => void
}

/** Counts each event as soon as the SDK has made it, since what a client has yet to take is held here or there. */
function countedOnArrival(unsent: Unsent): TransformStream<Uint8Array, Waiting> {
  const count: Transformer<Uint8Array, Waiting> = { transform: (event, out) => out.enqueue({ event, sent: unsent(event.byteLength) }) }
  return new TransformStream(count, undefined, new CountQueuingStrategy({ highWaterMark: Infinity }))
}

/** One event after the other, each once the client has taken the one before. */
function counted(body: ReadableStream<Uint8Array>, unsent: Unsent): ReadableStream {
  const events = body.pipeThrough(countedOnArrival(unsent)).getReader()
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: "direct",
    async pull(controller) {
      for (let next = await events.read(); next.value !== undefined; next = await events.read()) {
        const { event, sent } = next.value
        // A promise of its being sent, when the client does not take it at once (measured; flush() gives none).
        await controller.write(event)
        void controller.flush()
        sent()
      }
      controller.end()
    },
    cancel: (reason) => void events.cancel(reason),
  }
  return new ReadableStream(source)
}

function corked(pieces: readonly string[], bytes: number, sent: () => void): ReadableStream {
  const source: Bun.DirectUnderlyingSource<string> = {
    type: "direct",
    pull(controller) {
      for (const piece of pieces) controller.write(piece)
      // A promise of all being sent, when the client does not take it at once.
      void Promise.resolve(controller.end()).then(sent, sent)
    },
    cancel: sent,
  }
  return new ReadableStream(source, { highWaterMark: bytes + 1 })
}
