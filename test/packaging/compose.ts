/** compose.yaml as Compose reads it: variables put in (its own rules), and the values that must be booleans made so. */
import { readFileSync } from "node:fs"
import { YAML } from "bun"

export interface Mount {
  readonly type: string
  readonly source: string
  readonly target: string
  readonly read_only?: boolean
  readonly bind?: { readonly create_host_path?: boolean }
}

export interface ComposeService {
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly Mount[]
  readonly [key: string]: unknown
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const TEXT = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8")
const DOCUMENT: unknown = YAML.parse(TEXT)
const VARIABLE = /\$\{([A-Z0-9_]+)(?::([-+])([^}]*))?\}/g

/** Every variable that Compose would look up. */
export const INTERPOLATED: ReadonlySet<string> = new Set([...TEXT.matchAll(VARIABLE)].map(([, name = ""]) => name))

function interpolated(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_, name: string, mark: string | undefined, other = "") => {
    const value = env[name] ?? ""
    if (mark === "+") return value === "" ? "" : other
    return value === "" ? other : value
  })
}

function castBoolean(value: string): boolean {
  if (value === "true") return true
  if (value === "false") return false
  throw new Error(`Compose takes no '${value}' for a boolean`)
}

function walk(value: unknown, env: Readonly<Record<string, string>>, key = ""): unknown {
  if (typeof value === "string") {
    const text = interpolated(value, env)
    return key === "read_only" ? castBoolean(text) : text
  }
  if (Array.isArray(value)) return value.map((each) => walk(each, env))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, env, name)]))
}

/** @param env the shell's and .env's variables */
export function compose(env: Readonly<Record<string, string>> = {}): Compose {
  return walk(DOCUMENT, env) as Compose
}
