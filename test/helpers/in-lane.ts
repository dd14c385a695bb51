/** What a lane hands to an operation, made of the same parts, so that operations can be run in the test's own thread. */
import { rgPath } from "@vscode/ripgrep"
import type { PolicyConfig } from "../../src/config/config.ts"
import { ToolError } from "../../src/errors.ts"
import { LaneCall } from "../../src/lane/lane-call.ts"
import { OpenDirectory } from "../../src/lane/open-directory.ts"
import type { Call, DirectorySettings, Operation } from "../../src/operations/operation.ts"
import { type Decoded, decoded } from "./decoded.ts"
import { LIMITS } from "./limits.ts"

export const STRICT: PolicyConfig = { allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: [] }

export function settingsOf(root: string, more: Partial<DirectorySettings> = {}): DirectorySettings {
  return { name: "test", root, policy: STRICT, limits: LIMITS, files: null, ripgrep: rgPath, ...more }
}

export function newCall(ms = 10_000): Call {
  return new LaneCall(1, ms, false, () => {}, () => {})
}

/** Runs one operation on a directory that is opened for it. */
export async function inLane<I, O>(settings: DirectorySettings, operate: Operation<I, O>, input: I, call = newCall()): Promise<Decoded<O>> {
  const opened = new OpenDirectory(settings)
  try {
    return decoded(await opened.with((directory) => operate(directory, input, call)))
  } finally {
    opened.giveUp()
  }
}

/** The code of the refusal; fails when there is none. */
export async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === "function" ? work() : work)
  } catch (error) {
    if (error instanceof ToolError) return error.code
    throw error
  }
  throw new Error("a refusal was expected, and it succeeded")
}
