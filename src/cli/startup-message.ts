/** What a start prints on stdout: where it serves, what, the token when it was made just now, and snippets to paste. */
import type { Config } from "../config/config.ts"
import type { Service } from "../mcp/service.ts"
import { connectText } from "./connect.ts"

export interface Started {
  readonly config: Config
  /** On this machine, such as http://127.0.0.1:8000. */
  readonly url: string
  /** Shown once; null when there was a credential already. */
  readonly firstToken: string | null
  readonly services: readonly Service[]
}

const SHOWN_CLIENTS = ["claude-code", "cursor", "curl"] as const

export function startupMessage({ config, url, firstToken, services }: Started): string {
  const base = config.publicUrl ?? url
  const lines = [`serverfs is ready on ${base}`, ""]
  for (const { title, mount } of services) lines.push(`  ${title.padEnd(10)} ${base}${mount}`)
  lines.push("", ...config.workdirs.map(({ alias, readOnly }) => `  ${alias.padEnd(10)} ${readOnly ? "read-only" : "read-write"}`))
  if (config.workdirs.length === 0) lines.push("  no workdir is configured: name one with --dir ALIAS=PATH[:rw]")
  if (firstToken !== null) {
    lines.push("", `Token (shown this once; a lost one is replaced with --new-token):`, "", `  ${firstToken}`)
    for (const client of SHOWN_CLIENTS) lines.push("", connectText(client, { base, token: firstToken, services }))
  }
  lines.push("", "More clients: serverfs connect CLIENT. Stop with Ctrl-C.", "")
  return lines.join("\n")
}
