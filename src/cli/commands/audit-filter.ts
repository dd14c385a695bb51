/** Which lines of an audit file somebody wants to see, and what to say when there are none. */

/** Each as the event's field of that name must be; undefined = whatever it is. */
export interface Wanted {
  readonly principal: string | undefined
  readonly tool: string | undefined
  readonly workdir: string | undefined
  readonly error_code: string | undefined
}

type Field = keyof Wanted

/** More values of a field than this are not kept in memory, and not told. */
const MAX_TOLD = 30

/** As the filter's option calls it. */
const OPTION_OF: Readonly<Record<Field, string>> = { principal: "principal", tool: "tool", workdir: "workdir", error_code: "code" }

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

export class AuditFilter {
  readonly #wanted: readonly (readonly [Field, string])[]
  /** By field that is filtered on: the values that events had, the wanted one always among them when it was. */
  readonly #seen: ReadonlyMap<Field, Set<string>>
  #matched = false

  constructor(wanted: Wanted) {
    this.#wanted = (Object.keys(OPTION_OF) as Field[]).flatMap((field) => (wanted[field] === undefined ? [] : [[field, wanted[field]] as const]))
    this.#seen = new Map(this.#wanted.map(([field]) => [field, new Set()]))
  }

  /** False for what is no event at all, such as half a line that a killed process left. */
  matches(line: string): boolean {
    const event = parsed(line)
    if (event === null) return false
    for (const [field, value] of this.#wanted) this.#note(field, event[field], value)
    const matches = this.#wanted.every(([field, value]) => event[field] === value)
    this.#matched ||= matches
    return matches
  }

  /** Why nothing has matched so far: a name that no event has, with those that events do have. Empty when something has. */
  reasons(): string[] {
    if (this.#matched || this.#wanted.length === 0) return []
    const strangers = this.#wanted.filter(([field, value]) => this.#seen.get(field)?.has(value) === false)
    if (strangers.length === 0) return ["no event matches all of these filters"]
    return strangers.map(([field, value]) => `no event has the ${OPTION_OF[field]} '${value}'; ${this.#told(field)}`)
  }

  #note(field: Field, value: unknown, wanted: string): void {
    const seen = this.#seen.get(field)
    if (typeof value !== "string" || seen === undefined) return
    if (value === wanted || seen.size < MAX_TOLD) seen.add(value)
  }

  #told(field: Field): string {
    const seen = [...(this.#seen.get(field) ?? [])].sort()
    if (seen.length === 0) return `the file names no ${OPTION_OF[field]}s`
    return `${OPTION_OF[field]}s in the file: ${seen.join(", ")}${seen.length < MAX_TOLD ? "" : ", …"}`
  }
}
