import { describe, expect, test } from "bun:test"
import { rgPath } from "@vscode/ripgrep"
import { inForce, without } from "../../src/confine/confinement.ts"
import { rulesFor } from "../../src/confine/rules.ts"
import { tryWay } from "../../src/doctor/break-out/try-way.ts"
import { type Way, waysOut } from "../../src/doctor/break-out/ways.ts"
import { judge } from "../../src/doctor/checks/confinement.ts"
import { makeTree } from "../confine/tree.ts"

const WAYS: Way[] = [
  { kind: "open", name: "list /", path: "/", flags: 0 },
  { kind: "connect", name: "connect to another server", port: 1 },
]

describe("judge()", () => {
  test("is content when every way is closed", () => {
    const [finding, ...more] = judge(WAYS, { confinement: inForce(7), answers: ["EACCES", "EACCES"] })
    expect(finding).toMatchObject({ level: "ok", message: "2 ways out were tried and are closed: list /, connect to another server" })
    expect(more).toEqual([])
  })

  test("names each way that leads out as an error", () => {
    const findings = judge(WAYS, { confinement: inForce(7), answers: ["open", "EACCES"] })
    expect(findings.map(({ level, message }) => `${level}: ${message}`)).toEqual(["error: a confined process could list /"])
  })

  test("warns of what the kernel is too old for, without calling it an escape", () => {
    const findings = judge(WAYS, { confinement: inForce(2), answers: ["EACCES", "open"] })
    expect(findings.map(({ level }) => level)).toEqual(["ok", "warning", "warning"])
  })

  test("warns when nothing is in force, and of a root that is exempt", () => {
    expect(judge([], { confinement: without("unavailable", "why"), answers: [] })).toEqual([expect.objectContaining({ level: "warning", message: "is not in force: why" })])
    expect(judge([], { confinement: inForce(7, ["docs"]), answers: [] })[1]).toMatchObject({ level: "warning", message: expect.stringContaining("does not keep docs read-only") })
  })
})

describe("waysOut()", () => {
  test("tries the surroundings of each root and to write in read-only ones, and every way is open to a process that is not confined", async () => {
    using tree = makeTree()
    const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
    const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
    free.stop(true)
    const rules = rulesFor(tree.config("auto"), {
      executable: "/x", libraries: [], program: { listed: [], read: [] }, ripgrep: null, connectsOut: false, resolverDir: null,
    })
    const ways = waysOut(tree.config("auto"), rules, { open: listener.port, free: free.port })
    expect(ways.map(({ name }) => name)).toEqual([
      "list /", "list /etc", `list ${tree.base}`, "read /etc/passwd", "write in ro", "run another program",
      "search /etc with ripgrep", "listen on another port", "connect to another server",
    ])
    const answers = await Promise.all(ways.map((way) => tryWay(way, rgPath)))
    expect(answers).toEqual(ways.map(() => "open"))
    listener.stop(true)
  })

  test("leaves out what the configuration allows", () => {
    using tree = makeTree()
    const config = tree.config("auto")
    const rules = { paths: [{ path: tree.base, rights: ["read_dir" as const], optional: false }], bind: [], connect: [] }
    expect(waysOut(config, rules, { open: 1, free: 2 }).map(({ name }) => name)).not.toContain(`list ${tree.base}`)
  })
})
