/** The gateway from its frozen configuration to its last answer: composition, readiness, shutdown. */
import { openAudit } from "./audit/open-audit.ts"
import { startupMessage } from "./cli/startup-message.ts"
import type { Config } from "./config/config.ts"
import { needsCredential } from "./config/credential.ts"
import { faultLine } from "./config/fault.ts"
import type { Warning } from "./config/names.ts"
import type { Confinement } from "./confine/confinement.ts"
import { createApp } from "./http/app.ts"
import { createChallenge } from "./http/auth/challenge.ts"
import { createAuthenticator } from "./http/auth/create-authenticator.ts"
import { ListenError, listen } from "./http/server.ts"
import { Lanes } from "./lane/lanes.ts"
import { ripgrepInMemory } from "./search/ripgrep-in-memory.ts"
import { openServices } from "./services/index.ts"
import { ensureFirstToken } from "./state/first-token.ts"
import { lockGateway } from "./state/gateway-lock.ts"
import { openState } from "./state/state.ts"
import { startupFields } from "./cli/startup-fields.ts"
import { VERSION } from "./version.ts"

export interface GatewayOptions {
  readonly config: Config
  readonly warnings: readonly Warning[]
  /** ripgrep's file; null when the program carries it. */
  readonly ripgrep: string | null
  readonly confinement: Confinement
  /** Replace a lost first token. */
  readonly newToken: boolean
}

/** How long a directory may take to open before the gateway serves without it. */
const OPEN_MS = 5000
const NOT_USABLE = 2
const PORT_TAKEN = 1

/** Serves until SIGTERM or SIGINT, then ends the process. Returns an exit status only when it could not start. Throws FaultError. */
export async function runGateway({ config, warnings, ripgrep, confinement, newToken }: GatewayOptions): Promise<number | null> {
  const lock = lockGateway(config.stateDir)
  const state = openState(config.stateDir)
  const audit = openAudit({ level: config.logLevel, file: config.auditFile })
  for (const warning of warnings) audit.event("config_unknown", { ...warning }, "WARNING")

  const fail = async (line: string, status: number): Promise<number> => {
    console.error(line)
    audit.event("startup_failed", { reason: line }, "ERROR")
    await audit.close()
    return status
  }

  const fault = needsCredential(config, { liveTokens: state.tokens.countLive(Date.now()), operatorSecret: false })
  if (fault !== null) return fail(faultLine(fault), NOT_USABLE)
  const firstToken = ensureFirstToken(state, { hasCredential: config.token !== null, renew: newToken, now: Date.now() })

  const lanes = new Lanes((event, fields) => audit.event(event, fields, "WARNING"), ripgrep ?? ripgrepInMemory())
  const services = openServices(config, lanes)
  await lanes.open(OPEN_MS)
  const app = createApp({ services, authenticator: createAuthenticator({ config, state }), audit, config, version: VERSION, challenge: createChallenge(() => null) })

  const listening = await start()
  async function start() {
    try {
      return listen(config, app)
    } catch (error) {
      if (error instanceof ListenError) return error
      throw error
    }
  }
  if (listening instanceof ListenError) return fail(`serverfs: ${listening.message}`, PORT_TAKEN)

  audit.event("startup", startupFields(config, confinement, listening.port))
  console.log(startupMessage({ config, url: listening.url, firstToken }))

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    await listening.stop()
    await lanes.close()
    audit.event("shutdown", { signal })
    await audit.close()
    state[Symbol.dispose]()
    lock[Symbol.dispose]()
    process.exit(0)
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal))
  return null
}
