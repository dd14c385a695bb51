/** What --check prints: the configuration in force, for the operator, who may see host paths; never a secret. */
import type { Config, Limits, PolicyConfig } from "../../config/config.ts"
import type { Credentials } from "../../config/credential.ts"
import { printable } from "../../config/fault.ts"
import { whyOauthIsOff } from "../../config/oauth-switch.ts"
import type { Given } from "../../config/variables/values.ts"
import { type Variable, VARIABLES } from "../../config/variables/variables.ts"
import { FILES, SERVERFS } from "../../service-mounts.ts"

function policyText(policy: PolicyConfig): string {
  const parts = [
    policy.allowHidden ? "hidden names shown" : "",
    policy.disableDefaultDeny ? "built-in deny rules off" : "",
    policy.extraDenyGlobs.length > 0 ? `denied besides: ${policy.extraDenyGlobs.join(", ")}` : "",
  ].filter((part) => part !== "")
  return parts.length === 0 ? "" : `  (${parts.join("; ")})`
}

function access(readOnly: boolean): string {
  return readOnly ? "read-only " : "read-write"
}

/** Limits that come down to another, and to which. */
const CAPPED: Readonly<Record<string, { readonly limit: keyof Limits; readonly by: string }>> = {
  SERVERFS_DEFAULT_LIST_LIMIT: { limit: "defaultListLimit", by: "SERVERFS_MAX_LIST_ENTRIES" },
  SERVERFS_DEFAULT_SEARCH_RESULTS: { limit: "defaultSearchResults", by: "SERVERFS_MAX_SEARCH_RESULTS" },
}

function cappedText(name: string, text: string, { limits }: Config): string {
  const capped = CAPPED[name]
  if (capped === undefined || limits[capped.limit] === Number(text)) return ""
  return `  (${limits[capped.limit]} in force: ${capped.by})`
}

function variableLine(name: string, variable: Variable<unknown>, given: Given | undefined, config: Config): string {
  if (given !== undefined) {
    const shown = variable.kind.secret === "always" ? "(set, not shown)" : given.text
    return `${name} = ${shown}${given.by === name ? "" : `  (${given.by})`}${cappedText(name, given.text, config)}`
  }
  const fallback = name === "SERVERFS_STATE_DIR" ? config.stateDir : variable.default
  return `${name} = ${fallback === "" ? "(not set)" : `${fallback}  (default)${cappedText(name, fallback, config)}`}`
}

function oauthText(config: Config, credentials: Credentials | null): string {
  const why = whyOauthIsOff(config, credentials?.operatorSecret ?? true)
  if (why !== null) return `off: ${why}`
  return credentials === null ? "on if there is an operator secret" : "on"
}

/** What opens the gateway, besides OAuth. */
function tokenText({ token }: Config, credentials: Credentials | null): string {
  if (credentials === null) return `${token === null ? "" : "the static one, and "}those of a state that can't be read here`
  const { liveTokens, expiredTokens, operatorSecret } = credentials
  const parts = [...(token === null ? [] : ["the static one"]), ...(liveTokens === 0 ? [] : [`${liveTokens} named`])]
  if (parts.length > 0) return parts.join(", ")
  if (operatorSecret) return "none"
  return expiredTokens === 0 ? "none; a start makes one with full rights and shows it" : `none, but for ${expiredTokens} past their end; a start makes one only with --new-token`
}

/** NAME = value a line, then what is served and to whom, without a newline at its end. @param credentials null = not known */
export function checkReport(config: Config, given: Readonly<Record<string, Given>>, credentials: Credentials | null): string {
  const width = Math.max(0, ...config.workdirs.map(({ alias }) => alias.length))
  const workdirs = config.workdirs.map(({ alias, readOnly, root, policy }) => (
    `  ${alias.padEnd(width)}  ${access(readOnly)}  ${root}${policyText(policy)}`
  ))
  const { files } = config
  return [
    ...Object.entries(VARIABLES).map(([name, variable]) => variableLine(name, variable, given[name], config)),
    "",
    `workdirs on ${SERVERFS.mount}: ${config.workdirs.length}${config.zeroConfig ? " (nothing is configured: the current directory)" : ""}`,
    ...workdirs,
    `Files on ${FILES.mount}: ${files === null ? "off" : `${access(files.readOnly).trim()} ${files.root}`}`,
    `OAuth: ${oauthText(config, credentials)}`,
    `Tokens: ${tokenText(config, credentials)}`,
  ].map(printable).join("\n")
}
