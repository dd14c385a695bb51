/** Which lines of an audit file somebody wants to see. */

/** Each as the event's field of that name must be; undefined = whatever it is. */
export interface Wanted {
  readonly principal: string | undefined
  readonly tool: string | undefined
  readonly workdir: string | undefined
  readonly error_code: string | undefined
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** False for what is no event at all, such as half a line that a killed process left. */
export function matches(line: string, wanted: Wanted): boolean {
  const event = parsed(line)
  return event !== null && Object.entries(wanted).every(([field, value]) => value === undefined || event[field] === value)
}
