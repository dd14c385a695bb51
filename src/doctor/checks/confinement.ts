import type { Config } from "../../config/config.ts"
import { gatherFacts, type Wishes } from "../../confine/facts.ts"
import { rulesFor } from "../../confine/rules.ts"
import { ripgrepInMemory } from "../../search/ripgrep-in-memory.ts"
import type { Answer } from "../break-out/prisoner.ts"
import { sendPrisoner } from "../break-out/send-prisoner.ts"
import { tryWay } from "../break-out/try-way.ts"
import { type Way, waysOut } from "../break-out/ways.ts"
import { about, type Finding } from "../finding.ts"

const { ok, warning, error } = about("confinement")
const NEWER_KERNEL = "run Linux 6.7 or newer"

/** Confines a process as the gateway will be and lets it try to get out, by ways that are open to this one. */
export async function checkConfinement(config: Config, wishes: Wishes): Promise<Finding[]> {
  if (config.confine === "off") return [warning("is switched off", "unset SERVERFS_CONFINE, or set it to auto or required")]
  using server = listener()
  const ways = waysOut(config, rulesFor(config, gatherFacts(wishes)), { open: server.port, free: freePort() })
  try {
    const ripgrep = wishes.ripgrep ?? ripgrepInMemory()
    const open: Way[] = []
    for (const way of ways) if (await tryWay(way, ripgrep) === "open") open.push(way)
    return judge(open, await sendPrisoner({ config, ...wishes, ways: open }))
  } catch (failure) {
    return [error(`a confined process does not start: ${failure instanceof Error ? failure.message : failure}`, "set SERVERFS_CONFINE=off to go without, and report this")]
  }
}

/** What the prisoner's answers come to. @param ways those that are open to an unconfined process, so that a refusal proves something */
export function judge(ways: readonly Way[], { confinement, answers }: Answer): Finding[] {
  const { state, reason, tcp, truncate, exempt } = confinement
  if (state === "unavailable" || state === "off") return [warning(`is not in force: ${reason}`, `${NEWER_KERNEL}, and SERVERFS_CONFINE=required to insist`)]
  const escaped = ways.filter((way, i) => answers[i] === "open" && (tcp || (way.kind !== "bind" && way.kind !== "connect")))
  return [
    ...escaped.map(({ name }) => error(`a confined process could ${name}`, "do not rely on confinement here, and report this with the kernel's version")),
    ...(escaped.length > 0 ? [] : [ok(`${ways.length} ways out were tried and are closed: ${ways.map(({ name }) => name).join(", ")}`)]),
    ...(tcp ? [] : [warning("does not cover TCP on this kernel", NEWER_KERNEL)]),
    ...(truncate ? [] : [warning("does not keep files from being truncated on this kernel", NEWER_KERNEL)]),
    ...exempt.map((name) => warning(`does not keep ${name} read-only: the audit file's or the state directory lies around it`, "give the audit file and the state a directory of their own")),
  ]
}

function listener() {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  return { port: server.port, [Symbol.dispose]: () => server.stop(true) }
}

function freePort(): number {
  using server = listener()
  return server.port
}
