/** The one policy that every channel consults: reserved, hidden, denied (contract §4). Pure: no syscall, no clock. */
import type { PolicyConfig } from "../config/config.ts"
import { type ErrorCode, ToolError } from "../errors.ts"
import { asNameGlob, DEFAULT_DENY_GLOBS } from "./deny.ts"
import { compileName } from "./glob.ts"
import { isRelPath, type RelPath } from "./relpath.ts"
import { isReserved } from "./reserved.ts"

class AdmittedPath {
  /** Only Policy.admit makes one: holding it is the right to walk to it. */
  readonly #made = true
  readonly given: string
  readonly components: readonly string[]

  constructor(path: RelPath) {
    this.given = path.given
    this.components = path.components
  }

  static is(value: unknown): value is AdmittedPath {
    return typeof value === "object" && value !== null && #made in value
  }

  /** Normalised, relative to the root; "" is the root. */
  get text(): string {
    return this.components.join("/")
  }

  get isRoot(): boolean {
    return this.components.length === 0
  }
}

export type Admitted = AdmittedPath
export const isAdmitted = AdmittedPath.is

export class Policy {
  readonly allowHidden: boolean
  /** Every deny glob in force, each a glob on one name. ripgrep is given the same list. */
  readonly denyGlobs: readonly string[]
  readonly #denied: (name: string) => boolean

  constructor(config: PolicyConfig) {
    this.allowHidden = config.allowHidden
    const globs = [...(config.disableDefaultDeny ? [] : DEFAULT_DENY_GLOBS), ...config.extraDenyGlobs.map(asNameGlob)]
    this.denyGlobs = [...new Set(globs)]
    this.#denied = anyOf(this.denyGlobs)
  }

  /** Why one name may not be reached, or null. The order is the contract's. */
  refuses(name: string): ErrorCode | null {
    if (isReserved(name)) return "RESERVED_PATH"
    if (!this.allowHidden && name.startsWith(".")) return "HIDDEN_PATH_NOT_ALLOWED"
    return this.#denied(name) ? "DENIED_PATH" : null
  }

  /** Throws RESERVED_PATH, HIDDEN_PATH_NOT_ALLOWED or DENIED_PATH, judged over all names, in this order. A `..` is no name. */
  judge(names: readonly string[], given: string): void {
    const found = new Set(names.map((name) => (name === ".." ? null : this.refuses(name))))
    for (const code of ["RESERVED_PATH", "HIDDEN_PATH_NOT_ALLOWED", "DENIED_PATH"] as const) {
      if (found.has(code)) throw new ToolError(code, { path: given })
    }
  }

  /** RelPath → Admitted. Throws what judge() does. */
  admit(path: RelPath): Admitted {
    if (!isRelPath(path)) throw new TypeError("a parsed path is needed")
    this.judge(path.components, path.given)
    return new AdmittedPath(path)
  }
}

const PLAIN = /^[^*?[]*$/
const EXTENSION = /^\*\.[^*?[.]+$/

/** One test for many globs: literals and `*.extension` by look-up (ten times as fast as one by one), the rest in turn. */
function anyOf(globs: readonly string[]): (name: string) => boolean {
  const literals = new Set(globs.filter((glob) => PLAIN.test(glob)))
  const extensions = new Set(globs.filter((glob) => EXTENSION.test(glob)).map((glob) => glob.slice(1)))
  const others = globs.filter((glob) => !PLAIN.test(glob) && !EXTENSION.test(glob)).map(compileName)
  return (name) => {
    if (literals.has(name)) return true
    const dot = name.lastIndexOf(".")
    if (dot >= 0 && extensions.has(name.slice(dot))) return true
    return others.some((matches) => matches(name))
  }
}
