/** `serverfs healthcheck`: whether the running gateway is ready, for containers and scripts. It needs no token. */
import { get } from "node:http"
import type { Config } from "../config/config.ts"
import { reachable } from "../config/local-url.ts"
import { systemErrorCode } from "../system-error.ts"
import { DONE, FAILED, type Terminal, USAGE } from "./terminal.ts"

const HELP = `Usage: serverfs healthcheck

Asks the gateway on the configured host and port whether it is ready. Exit status 0: it is; 1: it is not.
Give it what the gateway was given: the same environment, --env-file, --host and --port.
`
const TIMEOUT_MS = 3000

export interface HealthcheckContext extends Terminal {
  readonly address: Pick<Config, "host" | "port">
}

/** null = ready, else the reason. Not by fetch, which would ask the proxy that the environment names. */
function unreadiness(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = get({ host, port, path: "/readyz", headers: { Host: "localhost" }, signal }, (response) => {
    response.resume()
    resolve(response.statusCode === 200 ? null : `answers with status ${response.statusCode}`)
  })
  request.on("error", (error) => resolve(signal.aborted ? `does not answer within ${TIMEOUT_MS} ms` : `does not answer (${systemErrorCode(error)})`))
  return promise
}

/** @param argv what follows `healthcheck` */
export async function run(argv: readonly string[], { address: { host, port }, stdout, stderr }: HealthcheckContext): Promise<number> {
  if (argv.includes("--help") || argv.includes("-h")) {
    stdout.write(HELP)
    return DONE
  }
  if (argv.length > 0) {
    stderr.write(`serverfs healthcheck: it takes no arguments\n\n${HELP}`)
    return USAGE
  }
  const reason = port === 0 ? "was given port 0, which says nothing about where it is" : await unreadiness(reachable(host), port)
  if (reason === null) return DONE
  stderr.write(`serverfs: the gateway on ${host}, port ${port}, ${reason}\n`)
  return FAILED
}
