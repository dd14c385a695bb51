/** The gateway from its frozen configuration to its last answer: composition, readiness, shutdown. */
import { openAudit } from "./audit/open-audit.ts"
import { announceStart } from "./cli/announce-start.ts"
import { type Failure, failureOf, tellFailure } from "./cli/report-failure.ts"
import { startupFields } from "./cli/startup-fields.ts"
import { needsCredential } from "./config/credential.ts"
import type { Launch } from "./config/launch.ts"
import type { Confined } from "./confine/resume.ts"
import { ignoresHangUp } from "./hang-up.ts"
import { createApp } from "./http/app.ts"
import { createChallenge } from "./http/auth/challenge.ts"
import { createAuthenticator } from "./http/auth/create-authenticator.ts"
import { ListenError, listen } from "./http/server.ts"
import { Lanes } from "./lane/lanes.ts"
import { openMetrics } from "./metrics/open-metrics.ts"
import { openServices } from "./services/index.ts"
import { lockGateway } from "./state/gateway-lock.ts"
import { openState } from "./state/state.ts"
import { VERSION } from "./version.ts"

/** How long a directory may take to open before it counts as unavailable. */
const OPEN_MS = 5000
/** What calls that are interrupted by the end may take to say so. */
const INTERRUPT_MS = 2000
const PORT_TAKEN = 1
const ENDING = ["SIGTERM", "SIGINT"]

/** Serves until SIGTERM, SIGINT, or SIGHUP unless that is ignored, then ends the process. Returns an exit status only when it could not start. Throws FaultError. */
export async function runGateway({ launch, confinement }: Confined<Launch>): Promise<number | null> {
  const { config, warnings, ripgrep, newToken } = launch
  const lock = lockGateway(config.stateDir)
  const state = openState(config.stateDir)
  const log = openAudit({ level: config.logLevel, file: config.auditFile })
  for (const { event, ...fields } of warnings) log.event(event, fields, "WARNING")

  const fail = async (failure: Failure): Promise<number> => {
    tellFailure(failure, (event, fields) => log.event(event, fields, "ERROR"))
    await log.close()
    return failure.status
  }

  const listensAs = { host: config.host, hasToken: config.token !== null }
  const fault = needsCredential(listensAs, { liveTokens: state.tokens.countLive(Date.now()), operatorSecret: state.operatorSecret.exists })
  if (fault !== null) return fail(failureOf([fault]))

  const lanes = new Lanes((event, fields) => log.event(event, fields, "WARNING"), ripgrep ?? (await import("./search/ripgrep-in-memory.ts")).ripgrepInMemory())
  const metrics = await openMetrics(config, { lanes, audit: log })
  const audit = metrics?.observed(log) ?? log
  const services = openServices(config, lanes)
  // Not waited for: /readyz says that the port is open, and a directory that hangs is unavailable, not in the way.
  void lanes.open(OPEN_MS)
  // A tenth of what there is to load, and of use only behind a public URL.
  const oauth = config.publicUrl === null ? null : (await import("./oauth/create-oauth.ts")).createOauth({ config, state, audit, services })
  const authenticator = createAuthenticator({ config, state, resourceOf: oauth?.resourceOf })
  const challenge = createChallenge((mount) => oauth?.challengeResource(mount) ?? null)
  const app = createApp({ services, authenticator, audit, config, version: VERSION, challenge })
  if (oauth !== null) app.routes.route("/", oauth.routes)

  const listening = await start()
  async function start() {
    try {
      metrics?.serve(app, { authenticator, audit, challenge })
      return listen(config, app)
    } catch (error) {
      if (error instanceof ListenError) return error
      throw error
    }
  }
  if (listening instanceof ListenError) {
    const { message, variable } = listening
    return fail({ reason: message, variables: [variable], lines: [`serverfs: ${message}`], status: PORT_TAKEN })
  }

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    await Promise.all([listening.stop(() => lanes.interrupt(INTERRUPT_MS)), metrics?.stop()])
    await lanes.close()
    audit.event("shutdown", { signal })
    await audit.close()
    state[Symbol.dispose]()
    lock[Symbol.dispose]()
    process.exit(0)
  }
  for (const signal of ignoresHangUp() ? ENDING : [...ENDING, "SIGHUP"]) process.on(signal, () => void stop(signal))

  // Last: a start that fails must not use up the one time that the first token is shown. Whoever reads that message may send a signal at once.
  const failure = announceStart({ config, url: listening.url, warnings, state, renew: newToken })
  if (failure !== null) return fail(failure)
  audit.event("startup", startupFields(config, confinement, listening.port))
  for (const workdir of confinement.exempt) audit.event("confinement_exempt", { workdir, reason: "the audit file or the state lies around it" }, "WARNING")
  return null
}
