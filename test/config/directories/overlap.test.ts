import { describe, expect, test } from "bun:test"
import { mkdirSync, symlinkSync } from "node:fs"
import { type Mount, parseMounts, devicePathOf, readMounts } from "../../../src/config/directories/mounts.ts"
import { overlapFaults } from "../../../src/config/directories/overlap.ts"
import { relation, spotOf } from "../../../src/config/directories/spot.ts"
import { slotsFor, World } from "../world.ts"

const READ_ONLY = ["false", "true"] as const

describe("overlap of two workdirs", () => {
  const LAYOUTS: readonly (readonly [string, (world: World) => [string, string]])[] = [
    ["the same directory", (world) => [world.at("a"), world.at("a")]],
    ["one inside the other", (world) => [world.at("a"), world.at("a/in/deep")]],
    ["one around the other", (world) => [world.at("a/in/deep"), world.at("a")]],
    ["one inside the other through a link", (world) => [world.at("a"), world.at("link")]],
  ]
  const make = () => {
    const world = new World()
    mkdirSync(world.at("a/in/deep"), { recursive: true })
    symlinkSync("a/in", world.at("link"))
    return world
  }
  const matrix = LAYOUTS.flatMap(([what, roots]) => READ_ONLY.flatMap((one) => READ_ONLY.map((two) => [what, one, two, roots] as const)))

  test.each(matrix)("%s, READ_ONLY %s and %s", (_what, one, two, roots) => {
    using world = make()
    const [first, second] = roots(world)
    const faults = world.faults({ ...slotsFor({ first, second }), WORKDIR_01_READ_ONLY: one, WORKDIR_02_READ_ONLY: two })
    if (one === "true" && two === "true") return expect(faults).toEqual([])
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^WORKDIR_02_PATH: the workdir 'second' .*the workdir 'first' \(WORKDIR_01_PATH\); /)
  })

  test("names that begin alike do not overlap", () => {
    using world = new World()
    const env = { ...slotsFor({ a: world.dir("share"), b: world.dir("share-secret") }), WORKDIR_01_READ_ONLY: "false", WORKDIR_02_READ_ONLY: "false" }
    expect(world.faults(env)).toEqual([])
  })

  test("three that overlap are three faults", () => {
    using world = make()
    const env = slotsFor({ a: world.at("a"), b: world.at("a/in"), c: world.at("a/in/deep") })
    expect(world.faults({ ...env, WORKDIR_01_READ_ONLY: "no", WORKDIR_02_READ_ONLY: "no", WORKDIR_03_READ_ONLY: "no" })).toHaveLength(3)
  })
})

describe("overlap with the Files root", () => {
  test.each(["root/main/in", "root/main", "root"])("%s is refused, read-only or not", (files) => {
    using world = new World()
    mkdirSync(world.at("root/main/in"), { recursive: true })
    for (const readOnly of READ_ONLY) {
      const faults = world.faults({ ...slotsFor({ main: world.at("root/main") }), FILES_MCP_ROOT: world.at(files), FILES_MCP_READ_ONLY: readOnly })
      expect(faults).toHaveLength(1)
      expect(faults[0]).toMatch(/^FILES_MCP_ROOT: the Files root .*the workdir 'main' \(WORKDIR_01_PATH\)/)
    }
  })
})

describe("overlap with what is the gateway's own", () => {
  const GUARDED: readonly (readonly [string, string, (world: World) => readonly [Record<string, string>, string | undefined]])[] = [
    ["the state directory inside", "SERVERFS_STATE_DIR", (world) => [{ SERVERFS_STATE_DIR: world.at("root/in/state/later") }, undefined]],
    ["the state directory itself", "SERVERFS_STATE_DIR", (world) => [{ SERVERFS_STATE_DIR: world.at("root/in") }, undefined]],
    ["the state directory around", "SERVERFS_STATE_DIR", (world) => [{ SERVERFS_STATE_DIR: world.at("root") }, undefined]],
    ["the audit file inside", "SERVERFS_AUDIT_FILE", (world) => [{ SERVERFS_AUDIT_FILE: world.at("root/in/audit") }, undefined]],
    ["the program inside", "", (world) => [{}, world.at("root/in/deep")]],
    ["the program around", "", (world) => [{}, world.at("root")]],
    ["the program as one file inside", "", (world) => [{}, world.file("root/in/serverfs")]],
  ]

  test.each(GUARDED)("%s a writable root is refused, and is no matter where the root is read-only", (_what, variable, given) => {
    using world = new World()
    mkdirSync(world.at("root/in/deep"), { recursive: true })
    const [env, program] = given(world)
    const sources = program === undefined ? {} : { program }
    const slot = slotsFor({ main: world.at("root/in") })
    const writable = world.faults({ ...slot, ...env, WORKDIR_01_READ_ONLY: "false" }, {}, sources)
    expect(writable).toHaveLength(1)
    expect(writable[0]).toStartWith(`${variable || "WORKDIR_01_PATH"}: `)
    expect(world.faults({ ...slot, ...env }, {}, sources)).toEqual([])

    const files = { FILES_MCP_ROOT: world.at("root/in") }
    expect(world.faults({ ...files, ...env }, {}, sources)).toHaveLength(1)
    expect(world.faults({ ...files, ...env, FILES_MCP_READ_ONLY: "true" }, {}, sources)).toEqual([])
  })

  test("an audit file that is a link into a writable root is refused", () => {
    using world = new World()
    world.file("root/audit")
    world.dir("log")
    symlinkSync(world.at("root/audit"), world.at("log/audit"))
    const env = { ...slotsFor({ main: world.at("root") }), WORKDIR_01_READ_ONLY: "false", SERVERFS_AUDIT_FILE: world.at("log/audit") }
    expect(world.faults(env).join()).toContain("SERVERFS_AUDIT_FILE: the audit file lies inside the workdir 'main'")
  })

  test("a writable / is refused", () => {
    using world = new World()
    expect(world.faults({ ...slotsFor({ all: "/" }), WORKDIR_01_READ_ONLY: "false" })).not.toEqual([])
    expect(world.faults(slotsFor({ all: "/" }))).toEqual([])
  })
})

describe("parseMounts()", () => {
  test("reads device, root and point, with octal escapes and optional fields", () => {
    const text = [
      "26 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
      "41 26 254:0 /srv/a\\040b /mnt/x\\134y rw,relatime shared:1 master:2 - xfs /dev/vda rw",
      "",
    ].join("\n")
    expect(parseMounts(text)).toEqual([{ device: "254:0", root: "/", point: "/", type: "ext4" }, { device: "254:0", root: "/srv/a b", point: "/mnt/x\\y", type: "xfs" }])
  })

  test("finds the root mount of this machine", () => {
    expect(readMounts().some(({ point }) => point === "/")).toBe(true)
  })
})

describe("devicePathOf()", () => {
  const mounts: readonly Mount[] = [
    { device: "1:1", root: "/", point: "/", type: "ext4" },
    { device: "1:1", root: "/srv/deep", point: "/mnt", type: "ext4" },
    { device: "2:2", root: "/@home", point: "/mnt/home", type: "ext4" },
    { device: "3:3", root: "/", point: "/over", type: "ext4" },
    { device: "4:4", root: "/", point: "/over", type: "ext4" },
  ]

  test.each([
    ["/", "1:1", "/"], ["/srv/deep/x", "1:1", "/srv/deep/x"], ["/mnt", "1:1", "/srv/deep"], ["/mnt/x", "1:1", "/srv/deep/x"], ["/mnt-other", "1:1", "/mnt-other"],
    ["/mnt/home", "2:2", "/@home"], ["/mnt/home/me", "2:2", "/@home/me"], ["/over", "4:4", "/"], ["/over/x", "4:4", "/x"],
  ])("%s is %s %s", (real, device, path) => {
    expect(devicePathOf(real, mounts)).toEqual({ device, path })
  })

  test("is null where no mount is known", () => {
    expect(devicePathOf("/x", [])).toBeNull()
  })
})

describe("relation()", () => {
  test("sees what can be reached through a mount below", () => {
    using world = new World()
    const [root, state, apart] = [world.dir("root"), world.dir("private/state"), world.dir("apart")]
    const mounts: Mount[] = [
      { device: "8:1", root: "/", point: "/", type: "ext4" },
      { device: "8:1", root: world.at("private"), point: `${root}/in/mounted`, type: "ext4" },
    ]
    const [one, two, three] = [spotOf(root, mounts), spotOf(state, mounts), spotOf(apart, mounts)]
    expect([relation(two, one), relation(one, two), relation(three, one), relation(one, three)]).toEqual(["lies inside", "contains", null, null])
  })

  test("sees that two bind mounts show nested parts of one tree", () => {
    using world = new World()
    const [a, b, c] = [world.dir("01"), world.dir("02"), world.dir("03")]
    const mounts: Mount[] = [
      { device: "8:1", root: "/home/me", point: a, type: "ext4" },
      { device: "8:1", root: "/home/me/project", point: b, type: "ext4" },
      { device: "8:2", root: "/home/me/project", point: c, type: "ext4" },
    ]
    const [one, two, three] = [spotOf(a, mounts), spotOf(b, mounts), spotOf(c, mounts)]
    expect([relation(one, two), relation(two, one), relation(two, three), relation(one, three)]).toEqual(["contains", "lies inside", null, null])

    const workdirs = [a, b].map((path, i) => ({ what: `workdir ${i}`, by: `WORKDIR_0${i}`, path, readOnly: false }))
    expect(overlapFaults({ workdirs, files: null, guarded: [], secrets: [] }, mounts)).toHaveLength(1)
    expect(overlapFaults({ workdirs, files: null, guarded: [], secrets: [] }, [])).toEqual([])
  })

  test("what does not exist yet can be inside, not around", () => {
    using world = new World()
    const root = spotOf(world.dir("root"), [])
    expect(relation(spotOf(world.at("root/a/b"), []), root)).toBe("lies inside")
    expect(relation(spotOf(world.at("other"), []), root)).toBeNull()
  })
})
