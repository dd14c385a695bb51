/** Who may listen where without a credential: nobody beyond this machine. */
import { isIP } from "node:net"
import type { Config } from "./config.ts"
import type { Fault } from "./fault.ts"

export interface Credentials {
  /** Named tokens that are neither revoked nor expired. */
  readonly liveTokens: number
  /** Those that are past their end. Nobody gets in with one, but a start makes no first token beside it. */
  readonly expiredTokens: number
  readonly operatorSecret: boolean
}

/** True for addresses and the one name that only this machine can reach. A name that merely resolves to one is not. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}

/** What says who may listen where. */
export interface Listening extends Pick<Config, "host"> {
  /** A static token is given. */
  readonly hasToken: boolean
}

/** The fault of a bind beyond loopback that nobody could authenticate to, else null. Ask before a first token is made. */
export function needsCredential({ host, hasToken }: Listening, { liveTokens, operatorSecret }: Pick<Credentials, "liveTokens" | "operatorSecret">): Fault | null {
  if (isLoopback(host) || hasToken || liveTokens > 0 || operatorSecret) return null
  return {
    variable: "SERVERFS_HOST",
    message: `${host} can be reached from other machines, and there is no credential yet; `
      + "set SERVERFS_TOKEN_FILE or SERVERFS_TOKEN, or run 'serverfs token create' first, or listen on 127.0.0.1",
  }
}
