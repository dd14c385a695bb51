/** The limits of a configuration that sets none. */
import { limitsOf } from "../../src/config/limits.ts"
import { readValues } from "../../src/config/variables/values.ts"

export const LIMITS = limitsOf(readValues(() => undefined, []))
