/** What there is to grant, as the services and the configuration say it. */
import type { Config } from "../config/config.ts"
import type { Service } from "../mcp/service.ts"
import type { Principal } from "../principal.ts"

export interface WorkdirOffer {
  readonly alias: string
  readonly description: string | null
  /** Whatever is granted. */
  readonly readOnly: boolean
}

/** One mount: a grant opens exactly one. */
export interface Offer {
  readonly mount: string
  readonly title: string
  /** The URL that its tokens are bound to (RFC 8707): exactly what a client is told to connect to. */
  readonly resource: string
  /** Those that rights by workdir apply to; none where a service has no such thing. */
  readonly workdirs: readonly WorkdirOffer[]
  readonly writable: boolean
}

const EVERYBODY: Principal = { name: "", mounts: null, workdirs: null, readOnly: false }
const NOBODY: Principal = { ...EVERYBODY, workdirs: new Set() }

/** A service's names that a principal without any workdir does not see. */
function aliases(service: Service): readonly string[] {
  const [all, always] = [EVERYBODY, NOBODY].map((principal) => service.health(principal).map(({ name }) => name))
  return (all ?? []).filter((name) => !always?.includes(name))
}

export function offersOf(services: readonly Service[], { workdirs }: Pick<Config, "workdirs">, origin: string): readonly Offer[] {
  return services.map((service) => ({
    mount: service.mount,
    title: service.title,
    resource: origin + service.mount,
    workdirs: aliases(service).map((alias) => {
      const workdir = workdirs.find((each) => each.alias === alias)
      return { alias, description: workdir?.description ?? null, readOnly: workdir?.readOnly ?? false }
    }),
    writable: service.tools.some(({ access }) => access === "write"),
  }))
}
