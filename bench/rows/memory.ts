/** Memory at rest, and over a long run of mixed calls: what grows then never stops. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { drive } from "../lib/load.ts"
import { ERAS, toolCall } from "../lib/requests.ts"
import { type Bench, rounded, type Row } from "../lib/row.ts"
import { median } from "../lib/statistics.ts"

const SETTLE_MS = 3000
const CLOSED_MS = 100
const IDLE_MB = 110
const SAMPLES = 80

export async function* memory({ tree, scratch, longRun }: Bench): AsyncGenerator<Row> {
  const second = join(scratch, "memory")
  mkdirSync(second)
  writeFileSync(join(second, "small.txt"), "a small file\n")
  await using product = await startGateway({ scratch, env: workdirs({ tree, second }) })
  await Bun.sleep(SETTLE_MS)
  const idle = residentMb(product.pid)
  yield { work: "resident memory at rest, two workdirs", ours: mb(idle), reference: "–", ratio: null, target: `≤ ${IDLE_MB} MB`, met: idle <= IDLE_MB }

  const calls = [
    { tool: "stat_file", args: { workdir: "tree", path: "kernel/fork.c" } },
    { tool: "read_text_file", args: { workdir: "tree", path: "kernel/fork.c", max_lines: 100 } },
    { tool: "list_directory", args: { workdir: "second", path: "" } },
    { tool: "stat_file", args: { workdir: "second", path: "missing.txt/../small.txt" } },
  ]
  const requests = calls.flatMap((call) => ERAS.map((era) => toolCall(product.mcp, era, call)))
  const resident: number[] = []
  const descriptors: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (const request of requests) await drive(product.mcp, request, Math.ceil(longRun / SAMPLES / requests.length))
    // The gateway is to have seen that the connections of the last turn are closed.
    await Bun.sleep(CLOSED_MS)
    resident.push(residentMb(product.pid))
    descriptors.push(readdirSync(`/proc/${product.pid}/fd`).length)
  }
  const quarter = (all: readonly number[], n: number) => median(all.slice((n - 1) * (SAMPLES / 4), n * (SAMPLES / 4)))
  const [early, late] = [quarter(resident, 2), quarter(resident, 4)]
  yield { work: `resident memory over ${longRun} calls`, ours: `${mb(late)} last quarter`, reference: `${mb(early)} second quarter`, ratio: late / early, target: "≤ 1.1×", met: late <= 1.1 * early }
  const [few, many] = [quarter(descriptors, 2), quarter(descriptors, 4)]
  yield { work: "descriptors, the same", ours: String(many), reference: String(few), ratio: many / few, target: "equal", met: many === few }
}

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kb) / 1024
}

const mb = (value: number) => `${rounded(value)} MB`
