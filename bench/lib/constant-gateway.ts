/**
 * The ceiling: the product's own guard, bearer check, JSON-RPC, argument parsing and audit, around tools that give back a
 * constant. BENCH_CONSTANTS names a JSON file: results by tool. Everything else is configured as the product is.
 */
import { openAudit } from "../../src/audit/open-audit.ts"
import { loadConfig } from "../../src/config/load.ts"
import { createApp } from "../../src/http/app.ts"
import { createChallenge } from "../../src/http/auth/challenge.ts"
import { createAuthenticator } from "../../src/http/auth/create-authenticator.ts"
import { listen } from "../../src/http/server.ts"
import { Lanes } from "../../src/lane/lanes.ts"
import { openServices } from "../../src/services/index.ts"
import { openState } from "../../src/state/state.ts"
import { VERSION } from "../../src/version.ts"

const { BENCH_CONSTANTS = "", ...env } = process.env
const constants: Record<string, object> = await Bun.file(BENCH_CONSTANTS).json()

const loaded = loadConfig({ env, options: { dirs: [], envFile: null, host: null, port: null }, cwd: process.cwd(), home: null, program: import.meta.dir, needsDirectory: true })
if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
const { config } = loaded

const state = openState(config.stateDir)
const audit = openAudit({ level: config.logLevel })
// Its lanes are never asked, so it starts no thread for a directory.
const services = openServices(config, new Lanes(() => {}, "")).map((service) => ({
  ...service,
  tools: service.tools.map((tool) => ({ ...tool, run: async () => constants[tool.name] ?? {} })),
}))
const authenticator = createAuthenticator({ config, state })
const app = createApp({ services, authenticator, audit, config, version: VERSION, challenge: createChallenge(() => null) })
const { url } = listen(config, app)

process.on("SIGTERM", () => process.exit(0))
console.log(`ready on ${url}`)
