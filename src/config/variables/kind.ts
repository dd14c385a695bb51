/** How the text of one kind of variable becomes a value. Strict: what is not plainly right is refused. */
export interface Kind<T> {
  /** Reads on from "give": "a whole number from 1 to 10". */
  readonly accepts: string
  /** undefined = refused. Never sees the empty text, which is the default. */
  readonly parse: (text: string) => T | undefined
  /** When the text may not be shown: never, or not while it is refused (it may hold a password by mistake). */
  readonly secret?: "always" | "refused"
}

const LARGEST = 2 ** 40

/** Digits only: no sign, no blanks, no exponent. */
export function integer(min = 1, max = LARGEST): Kind<number> {
  return {
    accepts: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : undefined
    },
  }
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true, "1": true, yes: true, on: true, false: false, "0": false, no: false, off: false,
}

/** true/false/1/0/yes/no/on/off in any case. */
export const boolean: Kind<boolean> = {
  accepts: "true or false (or 1/0, yes/no, on/off)",
  parse: (text) => (Object.hasOwn(BOOLEANS, text.toLowerCase()) ? BOOLEANS[text.toLowerCase()] : undefined),
}

/** One of these words, in any case. */
export function oneOf<const T extends string>(...words: readonly T[]): Kind<T> {
  return {
    accepts: `one of ${words.join(", ")}`,
    parse: (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
  }
}

/** `off` = null, else what `kind` takes. */
export function offOr<T>(kind: Kind<T>): Kind<T | null> {
  return {
    accepts: `off, or ${kind.accepts}`,
    parse: (text) => (text.toLowerCase() === "off" ? null : kind.parse(text)),
  }
}

export const text: Kind<string> = { accepts: "any text", parse: (value) => value }

/** A path of the operator's: relative to the current directory, `~/` being the home directory. Looked at later. */
export const path: Kind<string> = { accepts: "a path", parse: (value) => value }

/** A file that is made where there is none. The words of a switch are refused: each would be a file of that name. */
export const newFile: Kind<string> = {
  accepts: "a path, such as /var/log/serverfs/audit.log",
  parse: (value) => (boolean.parse(value) === undefined ? value : undefined),
}

/** A bearer token: RFC 6750 allows no blanks, and a short one could be guessed. */
export const token: Kind<string> = {
  accepts: "at least 32 characters of printable ASCII without blanks",
  parse: (value) => (/^[\x21-\x7e]{32,}$/.test(value) ? value : undefined),
  secret: "always",
}

/** Items between commas, trimmed, empty ones dropped, each taken by `item`. */
export function list<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    accepts: `${item.accepts}; several are separated by commas`,
    parse: (value) => {
      const items = value.split(",").map((each) => each.trim()).filter((each) => each !== "").map(item.parse)
      return items.every((each) => each !== undefined) ? items : undefined
    },
  }
}

/** `[seq]` and `[!seq]` as workdir/glob.ts reads them: what comes first is a member, a `]` too. */
const CLASSES = /\[(?:!.|[^!])[^\]]*\]/gs

/**
 * A deny rule of contract §4. Rules look at one component at a time, so one with a slash anywhere but in a final `/**`
 * could never match. Braces and a `[` that nothing closes would be plain characters, and the comma between braces is where
 * the list was cut. All are refused, because a rule that is silently dead leaves open what it was meant to close.
 */
export const denyGlob: Kind<string> = {
  accepts: "a glob on one name, such as *.secret, or NAME/** (no other slash, a ] for every [; braces are not supported; write *.pem,*.key)",
  parse: (value) => {
    const name = value.replace(/\/\*\*$/, "")
    const dead = name === "" || /[/{}]/.test(name) || name.replace(CLASSES, "").includes("[")
    return dead ? undefined : value
  },
}
