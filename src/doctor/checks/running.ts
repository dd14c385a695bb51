import { about, type Finding } from "../finding.ts"
import type { Target } from "../root/target.ts"

const DEADLINE_MS = 2_000

/**
 * How the running gateway sees its directories, when there is a token to ask with. One that it cannot reach, and that can
 * be opened here, was mounted anew: a confined process cannot follow that.
 */
export async function checkRunning(url: string, token: string, targets: readonly Target[]): Promise<Finding[]> {
  const states = await statesOf(url, token)
  if (states === null) return [about("gateway").warning("does not say how its directories are", "see that SERVERFS_TOKEN is the one it was started with")]
  return targets.map(({ name }) => {
    const { ok, error } = about("gateway", name)
    const state = states[name]
    if (state === "unavailable") return error("the running gateway cannot reach it", "restart the gateway: a directory that was mounted anew is out of its reach until then")
    return state === undefined ? error("the running gateway does not serve it", "restart the gateway, so that it reads this configuration") : ok(`is ${state} in the running gateway`)
  })
}

type States = Readonly<Record<string, string>>

/** Status by name of each directory, whatever service it belongs to; null when it is not told. */
async function statesOf(url: string, token: string): Promise<States | null> {
  try {
    const response = await fetch(`${url}/readyz`, { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(DEADLINE_MS) })
    const { services }: { services?: Readonly<Record<string, States>> } = JSON.parse(await response.text())
    return services === undefined ? null : Object.assign({}, ...Object.values(services))
  } catch {
    return null
  }
}
