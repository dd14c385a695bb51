/** Bounds on what a body may hold besides bytes: validators cost far more for each value than the JSON parser does. */

/** Array elements in the arguments of one call, all levels together. */
export const MAX_ELEMENTS = 10_000

/** Values in one JSON-RPC message beside its arguments: method, envelope, metadata. 400,000 of them would hold the SDKs up for 3 s. */
export const MAX_ENVELOPE_VALUES = 1_000

export function hasTooManyElements(args: unknown): boolean {
  return exceeds(args, MAX_ELEMENTS, (node) => (Array.isArray(node) ? node.length : 0))
}

export function isTooWide(message: unknown): boolean {
  return exceeds(message, MAX_ENVELOPE_VALUES, (node) => Object.keys(node).length, "arguments")
}

/** Whether the weights of all objects and arrays come to more than `max`. Without recursion, since depth is the caller's choice. */
function exceeds(root: unknown, max: number, weigh: (node: object) => number, except?: string): boolean {
  let total = 0
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node !== "object" || node === null) continue
    total += weigh(node)
    if (total > max) return true
    for (const [name, child] of Object.entries(node)) if (typeof child === "object" && child !== null && name !== except) pending.push(child)
  }
  return false
}
