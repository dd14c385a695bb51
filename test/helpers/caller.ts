import type { Caller } from "../../src/mcp/call.ts"
import { PRINCIPALS } from "./fixture-app.ts"

/** @param name of one of the fixture's principals */
export function callerOf(name = "full", more: Partial<Caller> = {}): Caller {
  return { principal: PRINCIPALS[name]!, signal: new AbortController().signal, size: { bytes: 10 }, unsent: () => () => {}, entitled: () => true, ...more }
}
