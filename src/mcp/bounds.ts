/** Bounds on what a body may hold besides bytes: validators cost far more for each value than the JSON parser does. */

/** Array elements in the arguments of one call, all levels together. */
export const MAX_ELEMENTS = 10_000

/** Members of objects in the arguments of one call, all levels together: what 10,000 edits would have, and some. */
export const MAX_MEMBERS = 50_000

/** Values in one JSON-RPC message beside its arguments: method, envelope, metadata. 400,000 of them would hold the SDKs up for 3 s. */
export const MAX_ENVELOPE_VALUES = 1_000

/** What the arguments hold too many of, in words; null when they are within bounds. */
export function excessOf(args: unknown): string | null {
  const over = count(args, { elements: MAX_ELEMENTS, members: MAX_MEMBERS })
  if (over === null) return null
  return over === "elements" ? `more than ${MAX_ELEMENTS} array elements` : `more than ${MAX_MEMBERS} values`
}

/** Whether a message is too large beside the arguments of its tool call, or these have too many names for one tool. */
export function isTooWide(message: unknown): boolean {
  const args = argumentsOf(message)
  const limits = { elements: MAX_ENVELOPE_VALUES, members: MAX_ENVELOPE_VALUES }
  return count(message, limits, args) !== null || hasMoreMembers(args, MAX_ENVELOPE_VALUES)
}

/** `params.arguments` of tools/call, and of nothing else: whatever else goes by that name is envelope. */
function argumentsOf(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("method" in message) || message.method !== "tools/call") return undefined
  if (!("params" in message) || typeof message.params !== "object" || message.params === null) return undefined
  return "arguments" in message.params ? message.params.arguments : undefined
}

/** Stops at the first name too many: listing 600,000 of them takes seconds. */
function hasMoreMembers(value: unknown, max: number): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  let members = 0
  for (const _ in value) if (++members > max) return true
  return false
}

/** Which limit all objects and arrays together pass; null = none. Without recursion, since depth is the caller's choice. */
function count(root: unknown, limits: { readonly elements: number; readonly members: number }, skip?: unknown): "elements" | "members" | null {
  let elements = 0, members = 0
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node !== "object" || node === null) continue
    if (Array.isArray(node)) {
      elements += node.length
      if (elements > limits.elements) return "elements"
      for (const child of node) if (typeof child === "object") pending.push(child)
      continue
    }
    for (const name in node) {
      if (++members > limits.members) return "members"
      const child: unknown = Reflect.get(node, name)
      if (typeof child === "object" && child !== skip) pending.push(child)
    }
  }
  return null
}
