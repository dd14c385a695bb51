/** Names that a tool does not know among the arguments of a call, and those that it does know. */
import { ToolError } from "../errors.ts"
import { asSchema, type JsonSchema } from "./schema.ts"

/** The names that one object of the arguments may have. */
export interface ArgumentNames {
  readonly known: readonly string[]
  /** Known names by their plain spelling. */
  readonly plain: ReadonlyMap<string, string>
  /** Of the objects that are an argument, or the items of one, by its name. */
  readonly within: ReadonlyMap<string, ArgumentNames>
}

type Path = readonly PropertyKey[]

const SHOWN_NAMES = 3
const SHOWN_CHARS = 40

const plainly = (name: string): string => name.toLowerCase().replace(/[_-]/g, "")

/** Of an object's published schema. */
export function argumentNames(schema: JsonSchema): ArgumentNames {
  const members = Object.entries(asSchema(schema["properties"])).map(([name, member]) => [name, asSchema(member)] as const)
  const objects = members.map(([name, member]) => [name, member["type"] === "array" ? asSchema(member["items"]) : member] as const)
  return {
    known: members.map(([name]) => name),
    plain: new Map(members.map(([name]) => [plainly(name), name])),
    within: new Map(objects.filter(([, { type }]) => type === "object").map(([name, object]) => [name, argumentNames(object)])),
  }
}

/**
 * An unknown name is ignored (contract §5), but not one that is a known one in another spelling: `dryRun` ignored would be a change that was
 * not meant. Throws INVALID_ARGUMENTS.
 */
export function refuseMisspelt(args: object, names: ArgumentNames, at: Path = []): void {
  for (const [name, value] of Object.entries(args)) {
    if (!names.known.includes(name)) refuseSpelling(name, args, names, at)
    const within = names.within.get(name)
    if (within === undefined) continue
    if (isObject(value)) refuseMisspelt(value, within, [...at, name])
    if (Array.isArray(value)) value.forEach((item, index) => isObject(item) && refuseMisspelt(item, within, [...at, name, index]))
  }
}

function refuseSpelling(name: string, args: object, { plain }: ArgumentNames, at: Path): void {
  const meant = plain.get(plainly(name))
  if (meant === undefined || meant in args) return
  throw new ToolError("INVALID_ARGUMENTS", { detail: `${pathText([...at, name])} is not an argument of this tool; ${pathText([...at, meant])} is` })
}

/** For an argument at `path` that is missing: what stands beside it by names that the tool does not know, and those that it does; "" when all are known. */
export function misnamed(args: object, names: ArgumentNames, path: Path): string {
  let [place, here]: [unknown, ArgumentNames | undefined] = [args, names]
  for (const step of path.slice(0, -1)) {
    if (typeof step === "string") here = here?.within.get(step)
    place = Reflect.get(Object(place), step)
  }
  if (!isObject(place) || here === undefined) return ""
  const { known } = here
  const unknown = Object.keys(place).filter((name) => !known.includes(name))
  if (unknown.length === 0) return ""
  const shown = unknown.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, SHOWN_CHARS)).slice(1, -1))
  const more = unknown.length > SHOWN_NAMES ? ` and ${unknown.length - SHOWN_NAMES} more` : ""
  return ` (unknown: ${shown.join(", ")}${more}; there are ${known.join(", ")})`
}

/** As a caller would write it: edits[0].old_text. */
export function pathText(path: Path): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("").replace(/^\./, "")
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
