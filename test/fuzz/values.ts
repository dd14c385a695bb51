/** What a caller may put into an argument: what belongs there, what does not, and what was never meant to be anywhere. */
import type { Chance } from "./chance.ts"

/** Few names, so that calls meet what others have made; the tree stays small. */
const NAMES = ["a.txt", "b.txt", "c", "d", "e.md", "é", "日本", "long line.txt", "bin.dat", "latin.txt", "link", "out", "fifo"]
const ODD_NAMES = [
  ".env", ".git", ".ssh", "id_rsa", "x.pem", ".hidden", ".serverfs-tmp-", ".serverfs-tmp-x", ".serverfs-disabled", "..", ".", "...", "~", "~root", "\\", "%2e%2e", "%00",
  "a\0b", "\ud800", "\udfff\ud800", "\u202etxt", "\u2028", "\u0007", "\r\n", "a\nb", "'", '"', "`id`", "$(id)", "*", "?", "[", "]", "{a,b}", "-", "--", "-rf", "con", " ", "",
  "\u{1f600}", "e\u0301", "\ufeff", "x".repeat(255), "x".repeat(256), "é".repeat(128),
]
const WHOLE = ["", ".", "/", "..", "~", "/etc/passwd", "../../etc/passwd", "/proc/self/environ", "/dev/zero", "file:///etc/passwd", "a/../../b", "x/".repeat(2047), "x/".repeat(2100), "../".repeat(1000)]

export function path(chance: Chance): string {
  if (chance.oneIn(12)) return chance.pick(WHOLE)
  const names = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(chance.oneIn(8) ? ODD_NAMES : NAMES))
  const joined = names.join(chance.oneIn(15) ? "//" : "/")
  return chance.oneIn(20) ? `./${joined}/` : chance.oneIn(40) ? `/${joined}` : joined
}

const TEXTS = ["x", "hello\n", "one\ntwo\nthree\n", "\0", "\ud800", "\ufeff", "\r\n", "é".repeat(500), "needle", "a".repeat(3000), ""]
const PATTERNS = ["*", "*.txt", "**", "**/*", "[", "[!a]*", "{a,b}", "a/**/b", "\\", "(", "(?<x>a)", "(a+)+$", "\\p{L}", ".", "^$", "x{1000}{1000}", "\u2028", "!*", "/"]

export function text(chance: Chance): string {
  return chance.oneIn(3) ? chance.pick(PATTERNS) : chance.oneIn(30) ? chance.pick(TEXTS).repeat(1 + chance.below(50)) : chance.pick(TEXTS)
}

const INTEGERS = [0, 1, 2, 3, 10, 100, 499, 501, -1, -0, 1.5, 1e300, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), Number.MIN_VALUE]

function integer(chance: Chance): unknown {
  return chance.oneIn(3) ? chance.pick(INTEGERS) : chance.oneIn(5) ? String(chance.pick(INTEGERS)) : chance.below(50)
}

const KEYS = ["workdir", "path", "__proto__", "constructor", "toString", "hasOwnProperty", "length", "then", "a", "", "$ref", "\0"]

/** Any JSON at all. */
export function anything(chance: Chance, depth = 0): unknown {
  switch (chance.below(depth > 4 ? 6 : 9)) {
    case 0: return null
    case 1: return chance.oneIn(2)
    case 2: return integer(chance)
    case 3: return path(chance)
    case 4: return text(chance)
    case 5: return chance.pick(["true", "false", "null", "[]", "{}", "NaN", "1", "0x1", "1e5"])
    case 6: return chance.list(4, () => anything(chance, depth + 1))
    case 7: return Object.fromEntries(chance.list(4, () => [chance.pick(KEYS), anything(chance, depth + 1)]))
    default: return nested(chance, 1 + chance.below(200))
  }
}

function nested(chance: Chance, depth: number): unknown {
  let value: unknown = null
  for (let i = 0; i < depth; i++) value = chance.oneIn(2) ? [value] : { a: value }
  return value
}

type Schema = Readonly<Record<string, any>>

/** Arguments for a tool: mostly what its schema asks for, with a known revision where one is due. */
export function argumentsFor(chance: Chance, schema: Schema, revisions: readonly string[]): unknown {
  if (chance.oneIn(60)) return anything(chance)
  const entries: [string, unknown][] = []
  for (const [name, property] of Object.entries<Schema>(schema["properties"] ?? {})) {
    const required = schema["required"]?.includes(name) === true
    if (chance.oneIn(required ? 60 : 2)) continue
    entries.push([name, chance.oneIn(25) ? anything(chance) : argument(chance, name, property, revisions)])
  }
  if (chance.oneIn(20)) entries.push([chance.pick(KEYS), anything(chance)])
  return Object.fromEntries(entries)
}

function argument(chance: Chance, name: string, property: Schema, revisions: readonly string[]): unknown {
  if (name === "workdir") return chance.oneIn(15) ? chance.pick(["Work", "none", "", "__proto__", "work ", "\0"]) : chance.pick(["work", "work", "look"])
  if (name === "path" || name === "src" || name === "dst") return path(chance)
  if (name === "expected_revision") return revisions.length > 0 && !chance.oneIn(6) ? chance.pick(revisions) : chance.pick(["v1:0000000000000000", "v1:", "", "x"])
  switch (property["type"]) {
    case "boolean": return chance.oneIn(2)
    case "integer": return integer(chance)
    case "array": return chance.list(3, () => ({ old_text: text(chance), new_text: text(chance), ...(chance.oneIn(3) ? { expected_count: integer(chance) } : {}) }))
    default: return chance.oneIn(4) && Array.isArray(property["enum"]) ? chance.pick(property["enum"]) : text(chance)
  }
}
