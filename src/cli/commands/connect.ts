/** `serverfs connect CLIENT`: what to paste where. The token is not known here (it is kept as a hash): a placeholder stands for it. */
import type { Config } from "../../config/config.ts"
import { printable } from "../../config/fault.ts"
import { localUrl } from "../../config/local-url.ts"
import { mountedBy } from "../../service-mounts.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { DONE, type Terminal, USAGE } from "../terminal.ts"
import { type Client, CLIENTS, type ClientName, clientText, type Endpoint, isClient } from "./clients.ts"

const PLACEHOLDER = "YOUR_TOKEN"
export const HELP = `Usage: serverfs connect CLIENT

Prints the exact snippet or steps for one client: ${Object.keys(CLIENTS).join(", ")}.
Put a token where it says ${PLACEHOLDER}; 'serverfs token create --name NAME' makes one.

${SAME_AS_GATEWAY}`

export interface ConnectContext extends Terminal {
  readonly config: Pick<Config, "publicUrl" | "host" | "port" | "files" | "oauth">
}

/** The mounts, under the URL that clients reach: the public one when it is configured. */
export function endpointsOf({ publicUrl, files }: Pick<Config, "publicUrl" | "files">, localUrl: string): Endpoint[] {
  const base = publicUrl ?? localUrl
  return mountedBy({ files }).map(({ name, mount }) => ({ name, url: base + mount }))
}

/** @param argv what follows `connect` */
export function run(argv: readonly string[], { config, stdout, stderr }: ConnectContext): number {
  const [name, ...more] = argv
  if (name === undefined || more.length > 0 || !isClient(name)) {
    const fault = name === undefined ? "name a client" : more.length > 0 ? "one client at a time" : `there is no client '${name}'`
    stderr.write(`${printable(`serverfs connect: ${fault}`)}\n\n${HELP}`)
    return USAGE
  }
  stdout.write(clientText(name, endpointsOf(config, localUrl(config.host, config.port)), PLACEHOLDER))
  for (const line of hints(name, config)) stderr.write(`${line}\n`)
  return DONE
}

function hints(name: ClientName, { publicUrl, oauth, port }: ConnectContext["config"]): string[] {
  const client: Client = CLIENTS[name]
  const somewhere = publicUrl === null && port === 0 ? ["The gateway takes any free port: put the one that it names at its start in the place of 0."] : []
  if (client.oauth === undefined) return somewhere
  const missing = []
  if (publicUrl?.startsWith("https://") !== true) missing.push("set SERVERFS_PUBLIC_URL to the https URL of your tunnel")
  else if (new URL(publicUrl).pathname !== "/") missing.push("give SERVERFS_PUBLIC_URL without a path: clients look for the sign-in at the root of the host")
  if (oauth === "off") missing.push("remove SERVERFS_OAUTH=off")
  return [
    ...somewhere,
    "This client signs in by OAuth: it asks for the operator secret ('serverfs operator-secret' sets it).",
    ...missing.map((step) => `Not ready yet: ${step}.`),
  ]
}
