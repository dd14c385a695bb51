/** Lossless mending of arguments as models send them, driven by the schema that the tool publishes. */
import { parseJson } from "./parse-json.ts"
import { asSchema, type JsonSchema } from "./schema.ts"

/** Gives the value back, itself or mended; never throws. */
export type Coercion = (value: unknown) => unknown

const DIGITS = /^\d+$/

/** A string of digits, if nothing is lost. Above the safe integers nothing can be told apart, and every limit is clamped long before (contract §5). */
const integer: Coercion = (value) => {
  if (typeof value === "number" && Number.isInteger(value) && value > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  return typeof value === "string" && DIGITS.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const boolean: Coercion = (value) => (value === "true" ? true : value === "false" ? false : value)

/**
 * The coercion that a JSON Schema allows, or null when it allows none: a string of digits where an integer is due,
 * "true"/"false" where a boolean is, a JSON string where an array is; inside arrays and objects as well. Nothing else (contract §5).
 */
export function coercionOf(schema: JsonSchema): Coercion | null {
  switch (schema["type"]) {
    case "integer":
    case "number":
      return integer
    case "boolean":
      return boolean
    case "array":
      return arrayOf(coercionOf(asSchema(schema["items"])))
    case "object":
      return objectOf(asSchema(schema["properties"]))
    default:
      return null
  }
}

function arrayOf(item: Coercion | null): Coercion {
  return (value) => {
    const list = typeof value === "string" ? parsedArray(value) : value
    return item !== null && Array.isArray(list) ? list.map(item) : list
  }
}

function parsedArray(text: string): unknown {
  if (!text.trimStart().startsWith("[")) return text
  return parseJson(text) ?? text
}

function objectOf(properties: JsonSchema): Coercion | null {
  const fields = Object.entries(properties).flatMap(([name, schema]): [string, Coercion][] => {
    const coercion = coercionOf(asSchema(schema))
    return coercion === null ? [] : [[name, coercion]]
  })
  if (fields.length === 0) return null
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    let mended: Record<string, unknown> | null = null
    for (const [name, coercion] of fields) {
      if (!Object.hasOwn(value, name)) continue
      const before: unknown = Reflect.get(value, name)
      const after = coercion(before)
      if (after === before) continue
      mended ??= { ...value }
      mended[name] = after
    }
    return mended ?? value
  }
}
