/** `serverfs healthcheck`: whether the running gateway is ready, for containers and scripts. It needs no token. */
import { get } from "node:http"
import type { Config } from "../../config/config.ts"
import { reachable } from "../../config/local-url.ts"
import { systemErrorCode } from "../../system-error.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { DONE, FAILED, type Terminal, USAGE } from "../terminal.ts"

export const HELP = `Usage: serverfs healthcheck

Asks the gateway on the configured host and port whether it is ready. Exit status 0: it is; 1: it is not.

${SAME_AS_GATEWAY}`
const TIMEOUT_MS = 3000

export interface HealthcheckContext extends Terminal {
  readonly address: Pick<Config, "host" | "port">
}

/** What /readyz says without a token. */
const READY = /^\{"status":"ready"[,}]/
const LOOKED_AT_CHARS = 1000

/** null = ready, else the reason. Not by fetch, which would ask the proxy that the environment names. */
function unreadiness(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const fail = (error: unknown) => resolve(`the gateway does not answer ${signal.aborted ? `within ${TIMEOUT_MS} ms` : `(${systemErrorCode(error)})`}`)
  const request = get({ host, port, path: "/readyz", headers: { Host: "localhost" }, signal }, (response) => {
    const foreign = `something other than serverfs answers (status ${response.statusCode}); give the host and port of the gateway`
    startOf(response).then((body) => resolve(READY.test(body) ? null : foreign), fail)
  })
  request.on("error", fail)
  return promise
}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ""
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString("latin1")
    if (text.length > LOOKED_AT_CHARS) break
  }
  return text
}

/** @param argv what follows `healthcheck` */
export async function run(argv: readonly string[], { address: { host, port }, stdout, stderr }: HealthcheckContext): Promise<number> {
  if (argv.length > 0) {
    stderr.write(`serverfs healthcheck: it takes no arguments\n\n${HELP}`)
    return USAGE
  }
  const reason = port === 0 ? "the gateway may have any port; give the one that it named at its start" : await unreadiness(reachable(host), port)
  if (reason === null) {
    stdout.write("ready\n")
    return DONE
  }
  stderr.write(`serverfs: on ${host}, port ${port}, ${reason}\n`)
  return FAILED
}
