import { readFileSync } from "node:fs"
import type { Environment } from "../config/variables/values.ts"

/**
 * The environment that this process was given, by the kernel's own record. Not process.env: started as plain `bun src/main.ts`, Bun has
 * by now added to it what a .env of the current directory says, and none is read unless --env-file names it (contract §7).
 */
export function ownEnvironment(): Environment {
  const entries = readFileSync("/proc/self/environ", "utf8").split("\0").map((entry) => /^([^=]+)=(.*)$/s.exec(entry))
  // Reversed, so that of a name that comes twice the first counts, as for getenv(3).
  return Object.fromEntries(entries.reverse().flatMap((found) => (found?.[1] === undefined ? [] : [[found[1], found[2]]])))
}
