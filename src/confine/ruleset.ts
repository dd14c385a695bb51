/** Rules → a ruleset of the running kernel. */
import { closeSync, constants, fstatSync, openSync } from "node:fs"
import { ToolError } from "../errors.ts"
import { cannotConfine } from "./cannot-confine.ts"
import { errnoName } from "./errno-name.ts"
import type { Landlock } from "./landlock.unsafe.ts"
import { O_PATH } from "./o-path.ts"
import { everyFsRight, fsMask, onlyForFiles, SCOPES, TCP } from "./rights.ts"
import type { PathRule, Rules } from "./rules.ts"

/**
 * Makes a ruleset that denies all that the ABI can deny and grants `rules`. Returns its descriptor.
 * Throws CONFIGURATION_ERROR when a path that is needed cannot be opened, or the kernel refuses a rule.
 */
export function makeRuleset(landlock: Landlock, abi: number, rules: Rules): number {
  const tcp = abi >= TCP.since
  const ruleset = landlock.createRuleset({
    fs: everyFsRight(abi),
    tcp: tcp ? TCP.bind | TCP.connect : 0n,
    scopes: abi >= SCOPES.since ? SCOPES.mask : 0n,
  })
  if (ruleset < 0) throw refused("a ruleset", ruleset)
  for (const rule of rules.paths) grantPath(landlock, abi, ruleset, rule)
  if (tcp) {
    for (const port of rules.bind) grantPort(landlock, ruleset, TCP.bind, port)
    for (const port of rules.connect) grantPort(landlock, ruleset, TCP.connect, port)
  }
  return ruleset
}

function grantPath(landlock: Landlock, abi: number, ruleset: number, rule: PathRule): void {
  const fd = openForRule(rule)
  if (fd === null) return
  try {
    const rights = fstatSync(fd).isDirectory() ? rule.rights : onlyForFiles(rule.rights)
    const mask = fsMask(rights, abi)
    const status = mask === 0n ? 0 : landlock.allowPath(ruleset, mask, fd)
    if (status < 0) throw refused(`a rule for ${rule.path}`, status)
  } finally {
    closeSync(fd)
  }
}

function grantPort(landlock: Landlock, ruleset: number, right: bigint, port: number): void {
  const status = landlock.allowPort(ruleset, right, port)
  if (status < 0) throw refused(`a rule for port ${port}`, status)
}

/** Follows links, as the configuration did. An optional path that cannot be opened is left out: what needs it will say so. */
function openForRule(rule: PathRule): number | null {
  try {
    return openSync(rule.path, O_PATH | constants.O_NONBLOCK)
  } catch (error) {
    if (rule.optional) return null
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    throw new ToolError("CONFIGURATION_ERROR", { detail: `the kernel's confinement needs ${rule.path}, which cannot be opened (${code}); see that it is there` })
  }
}

function refused(what: string, status: number): ToolError {
  return cannotConfine(`the kernel refuses ${what} for confinement (${errnoName(status)})`)
}
