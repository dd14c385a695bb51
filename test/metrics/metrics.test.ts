import { describe, expect, test } from "bun:test"
import { createMetrics, type FinishedCall, type Vitals } from "../../src/metrics/metrics.ts"

const vitals: Vitals = { lanes: { threads: 3, stuck: 1, lock: { waiting: 2 } }, audit: { stalled: false } }
const CALL: FinishedCall = { service: "serverfs", tool: "stat_file", workdir: "src", code: null, seconds: 0.002 }

function metricsWith(...calls: Partial<FinishedCall>[]) {
  const metrics = createMetrics({ version: "1.2.3", aliases: ["src", "docs"], vitals })
  for (const call of calls) metrics.finished({ ...CALL, ...call })
  return metrics
}

/** The value of one series; null when there is none. */
async function value(text: Promise<string>, series: string): Promise<number | null> {
  const line = (await text).split("\n").find((each) => each.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

describe("createMetrics()", () => {
  test("counts calls by service, tool, workdir and code", async () => {
    const metrics = metricsWith({}, {}, { code: "PATH_NOT_FOUND" }, { workdir: "docs" }, { service: "serverfs-files", tool: "move", workdir: null })
    const series = (labels: string) => value(metrics.text(), `serverfs_calls_total{${labels}}`)
    expect(await series('service="serverfs",tool="stat_file",workdir="src",code="ok"')).toBe(2)
    expect(await series('service="serverfs",tool="stat_file",workdir="src",code="PATH_NOT_FOUND"')).toBe(1)
    expect(await series('service="serverfs",tool="stat_file",workdir="docs",code="ok"')).toBe(1)
    expect(await series('service="serverfs-files",tool="move",workdir="",code="ok"')).toBe(1)
  })

  test("no name that a caller makes up becomes a label", async () => {
    const metrics = metricsWith(...Array.from({ length: 500 }, (_, i) => ({ workdir: `made-up-${i}`, code: "WORKDIR_NOT_FOUND" })))
    const text = await metrics.text()
    expect(text).not.toContain("made-up")
    expect(text.split("\n").filter((line) => line.startsWith("serverfs_calls_total{"))).toEqual([
      'serverfs_calls_total{service="serverfs",tool="stat_file",workdir="",code="WORKDIR_NOT_FOUND"} 500',
    ])
  })

  test("times calls by service and tool", async () => {
    const metrics = metricsWith({ seconds: 0.0004 }, { seconds: 0.002 }, { seconds: 20 })
    const series = (part: string, labels = "") => value(metrics.text(), `serverfs_call_duration_seconds${part}{${labels}service="serverfs",tool="stat_file"}`)
    expect(await series("_bucket", 'le="0.0005",')).toBe(1)
    expect(await series("_bucket", 'le="0.0025",')).toBe(2)
    expect(await series("_bucket", 'le="+Inf",')).toBe(3)
    expect(await series("_sum")).toBeCloseTo(20.0024)
  })

  test("shows how the threads, the lock, the audit and ripgrep are when it is asked", async () => {
    const { text } = metricsWith()
    expect(await value(text(), "serverfs_lane_threads")).toBe(3)
    expect(await value(text(), "serverfs_lane_threads_stuck")).toBe(1)
    expect(await value(text(), "serverfs_mutations_waiting")).toBe(2)
    expect(await value(text(), "serverfs_audit_stalled")).toBe(0)
    expect(await value(text(), 'serverfs_info{version="1.2.3"}')).toBe(1)
    const before = await value(text(), "serverfs_ripgrep_children")
    const child = Bun.spawn(["sleep", "60"])
    expect(await value(text(), "serverfs_ripgrep_children")).toBe((before ?? 0) + 1)
    child.kill()
    await child.exited
    expect(await value(text(), "serverfs_ripgrep_children")).toBe(before)
  })

  test("counts credentials that are not good", async () => {
    const metrics = metricsWith()
    metrics.refusedCredential()
    expect(await value(metrics.text(), "serverfs_auth_failures_total")).toBe(1)
  })

  test("two gateways in one process share nothing", async () => {
    const [one, other] = [metricsWith({}), metricsWith()]
    expect(await one.text()).toContain("serverfs_calls_total{")
    expect(await other.text()).not.toContain("serverfs_calls_total{")
  })
})
