/**
 * bun test/race/swap/run.ts [--seconds 60] [--most-seconds N] [--calls 20000] [--searches 2000] [--only tool,/files-mcp/tool] [--as user|root|both] [--confine] [--json]
 *
 * Every tool of both services, called without pause while directories and files change places with links to the outside:
 * as an ordinary user all of them, as root those that read, search, edit and delete. Without --confine the kernel's
 * confinement is off, so that only the walker stands between the calls and the outside. Prints a line a run, as JSON when
 * asked; ends with 1 when anything of the outside was seen or changed, or when a run proves nothing: an answer, the control's
 * leak, or the count of calls (--most-seconds ends a run before it) or exchanges is lacking. For root.
 */
import { parseArgs } from "node:util"
import { ATTACKS } from "./attacks.ts"
import { type Outcome, race } from "./race.ts"

const EXCHANGES = 400_000
const AS_ROOT = new Set(["read_text_file", "search_text", "edit_text_file", "delete_file", "read_file", "search", "update_file"])

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    "most-seconds": { type: "string", default: "Infinity" },
    calls: { type: "string", default: "20000" },
    searches: { type: "string", default: "2000" },
    only: { type: "string" },
    as: { type: "string", default: "both" },
    confine: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
})
const only = values.only?.split(",")
const users = values.as === "both" ? [false, true] : [values.as === "root"]

let failures = 0
for (const root of users) {
  for (const attack of ATTACKS) {
    if (only !== undefined && !only.includes(attack.tool) && !only.includes(`${attack.mount}/${attack.tool}`)) continue
    if (root && !AS_ROOT.has(attack.tool)) continue
    const outcome = await race(attack, {
      ms: Number(values.seconds) * 1000,
      mostMs: Number(values["most-seconds"]) * 1000,
      calls: Number(attack.tool === "search_text" ? values.searches : values.calls),
      exchanges: EXCHANGES,
      root,
      confine: values.confine ? "auto" : "off",
    })
    const verdict = outcome.outsideSeen > 0 || outcome.outsideChanged !== "" ? "LEAKED" : outcome.valid ? "ok" : "PROVES NOTHING"
    if (verdict !== "ok") failures++
    const run = { verdict, user: root ? "root" : "user", mount: attack.mount, tool: attack.tool, ...outcome }
    console.log(values.json ? JSON.stringify(run) : sentence(run))
  }
}

function sentence({ verdict, user, mount, tool, answers, calls, seconds, exchanges, outsideSeen, outsideChanged, controlLeaks }: Outcome & Readonly<Record<"verdict" | "user" | "mount" | "tool", string>>): string {
  const counts = Object.entries(answers).sort(([, a], [, b]) => b - a).map(([answer, count]) => `${answer} ${count}`).join(", ")
  return `${verdict}  ${user} ${mount} ${tool}: ${calls} calls in ${seconds} s, ${exchanges} exchanges; ${counts}; outside seen ${outsideSeen}, changed ${outsideChanged === "" ? 0 : `\n${outsideChanged}`}; control leaked ${controlLeaks} times`
}

process.exit(failures === 0 ? 0 : 1)
