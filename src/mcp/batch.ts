/** JSON-RPC batches, which revisions up to 2025-03-26 have. */
import { INTERNAL_ERROR, RpcError } from "./result.ts"

/** What all answers of a batch may hold together, in UTF-16 units of their texts: 20 large files would hold everybody up for seconds. */
export const MAX_ANSWERS = 8 * 1024 * 1024
/** A change that was made is always told: its answer is shorter than this. */
const SMALL = 65_536

/** Counts the results of one request; throws an RpcError in the place of a large one beyond the bound. */
export function batchBound(): (result: Record<string, unknown>) => Record<string, unknown> {
  let before = 0
  return (result) => {
    const units = unitsOf(result)
    if (units > SMALL && before > 0 && before + units > MAX_ANSWERS) {
      throw new RpcError(INTERNAL_ERROR, "RESOURCE_EXHAUSTED: the answers of this batch are too large together. To mend it: send this message alone")
    }
    before += units
    return result
  }
}

/** Of the text that a result holds, which is most of it. */
function unitsOf({ content, contents }: Record<string, unknown>): number {
  const [first] = [content, contents].find(Array.isArray) ?? []
  return typeof first?.text === "string" ? first.text.length : 0
}

/** A batch is answered by an array, even if one message in it had an answer (JSON-RPC 2.0 §6); the SDK sends that one bare. */
export async function asBatch(response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.get("content-type") !== "application/json") return response
  const text = await response.text()
  return new Response(text.startsWith("[") ? text : `[${text}]`, response)
}
