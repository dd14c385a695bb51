/**
 * A directory and a symlink to the outside exchange their names without pause while each Files tool is called. Each race has a
 * control, the plain call on such a path, which does leave the root; it counts only if inside, refused and control were all seen.
 */
import { describe, expect, test } from "bun:test"
import { cpSync, existsSync, openSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { ToolError } from "../../src/errors.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { swapping } from "../helpers/swapper.ts"
import { type Files, filesIn } from "../operations/files/driver.ts"

const SECONDS = 60
const CONTROL_EVERY = 10

interface Scene {
  readonly files: Files
  /** In the root; `d` and `l` are what change places. */
  readonly at: (name: string) => string
  /** In the real directory, whichever it is called right now. */
  readonly inside: (name: string) => string
  readonly outside: (name: string) => string
}

interface Race {
  /** Puts back what an earlier call took. */
  readonly prepare?: (scene: Scene) => void
  readonly call: (scene: Scene) => Promise<unknown>
  /** Looks at the answer, "" when it was refused, and at what is outside; true for what must never be. */
  readonly escaped: (scene: Scene, answer: string) => boolean
  /** The plain call; true when it has left the root. */
  readonly control: (scene: Scene) => boolean
}

const PLANTED = {
  "root/d/f": "INSIDE", "root/d/t/x": "INSIDE", "root/d/t/sub/y": "INSIDE", "root/d/t/sub/only-inside": "", "root/l": { link: "../outside" }, "root/spare/x": "INSIDE", "root/spare/sub/y": "INSIDE",
  "outside/f": "OUTSIDE", "outside/t/x": "OUTSIDE", "outside/t/sub/y": "OUTSIDE", "outside/t/sub/only-outside": "", "outside/control/c": "OUTSIDE",
}

/** null when there is nothing to read right now. */
function text(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

/** The names are exchanged under the plain calls as well. */
function tried<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Whether something made in the race has come to be outside; it is taken away again. */
function appeared({ outside }: Scene, name: string): boolean {
  const there = existsSync(outside(name))
  rmSync(outside(name), { recursive: true, force: true })
  return there
}

/** Whether the control took, or changed, its file outside; it is put back. */
function controlWorked({ outside }: Scene): boolean {
  const worked = text(outside("control/c")) !== "OUTSIDE"
  if (worked) cpSync(outside("t"), outside("control"), { recursive: true })
  if (worked) writeFileSync(outside("control/c"), "OUTSIDE")
  return worked
}

const changedOutside = ({ outside }: Scene): boolean => text(outside("f")) !== "OUTSIDE" || text(outside("t/x")) !== "OUTSIDE" || text(outside("t/sub/y")) !== "OUTSIDE"
const restoreTree = ({ at, inside }: Scene): void => { if (!existsSync(inside("t/sub/y"))) cpSync(at("spare"), inside("t"), { recursive: true }) }

const RACES: Readonly<Record<string, Race>> = {
  read_file: {
    call: ({ files }) => files.read("d/f"),
    escaped: (_, answer) => answer.includes("OUTSIDE"),
    control: ({ at }) => text(at("d/f")) === "OUTSIDE",
  },
  stat: {
    call: ({ files }) => files.stat("d/f"),
    escaped: (_, answer) => answer !== "" && !answer.includes(`"size":${"INSIDE".length}`),
    control: ({ at }) => tried(() => statSync(at("d/f")).size) === "OUTSIDE".length,
  },
  list_dir: {
    call: ({ files }) => files.list("d", 3),
    escaped: (_, answer) => answer.includes("only-outside"),
    control: ({ at }) => tried(() => readdirSync(at("d/t/sub")))?.includes("only-outside") === true,
  },
  search: {
    call: ({ files }) => files.search("d", "only-*"),
    escaped: (_, answer) => answer.includes("only-outside"),
    control: ({ at }) => tried(() => readdirSync(at("d"), { recursive: true }).map(String))?.includes("t/sub/only-outside") === true,
  },
  create_file: {
    call: ({ files }) => files.create("d/new", "x", true),
    escaped: (scene) => appeared(scene, "new"),
    control: (scene) => (tried(() => writeFileSync(scene.at("d/control-new"), "x")), appeared(scene, "control-new")),
  },
  update_file: {
    call: ({ files }) => files.update("d/f", "INSIDE"),
    escaped: changedOutside,
    control: (scene) => (tried(() => writeFileSync(scene.at("d/control/c"), "changed")), controlWorked(scene)),
  },
  delete_file: {
    prepare: ({ inside }) => writeFileSync(inside("f"), "INSIDE"),
    call: ({ files }) => files.remove("d/f"),
    escaped: changedOutside,
    control: (scene) => (tried(() => rmSync(scene.at("d/control/c"))), controlWorked(scene)),
  },
  "delete_file, recursive": {
    prepare: restoreTree,
    call: ({ files }) => files.remove("d/t", true),
    escaped: changedOutside,
    control: (scene) => (tried(() => rmSync(scene.at("d/control"), { recursive: true })), controlWorked(scene)),
  },
  "move, src": {
    prepare: (scene) => { rmSync(scene.at("moved"), { recursive: true, force: true }); restoreTree(scene) },
    call: ({ files }) => files.move("d/t", "moved"),
    escaped: (scene) => changedOutside(scene) || text(scene.at("moved/x")) === "OUTSIDE",
    control: (scene) => (tried(() => renameSync(scene.at("d/control"), scene.at("control"))), rmSync(scene.at("control"), { recursive: true, force: true }), controlWorked(scene)),
  },
  "move, dst": {
    prepare: ({ at }) => writeFileSync(at("plain"), "x"),
    call: ({ files }) => files.move("plain", "d/new", true),
    escaped: (scene) => appeared(scene, "new"),
    control: (scene) => (writeFileSync(scene.at("plain"), "x"), tried(() => renameSync(scene.at("plain"), scene.at("d/control-new"))), appeared(scene, "control-new")),
  },
  "copy, src": {
    prepare: ({ at }) => rmSync(at("copied"), { recursive: true, force: true }),
    call: ({ files }) => files.copy("d/t", "copied"),
    escaped: ({ at }) => text(at("copied/x")) === "OUTSIDE" || text(at("copied/sub/y")) === "OUTSIDE",
    control: ({ at }) => text(at("d/t/x")) === "OUTSIDE",
  },
  "copy, dst": {
    call: ({ files }) => files.copy("spare/x", "d/new", true),
    escaped: (scene) => appeared(scene, "new"),
    control: (scene) => (tried(() => cpSync(scene.at("spare/x"), scene.at("d/control-new"))), appeared(scene, "control-new")),
  },
}

function sceneOf(dir: Scratch): Scene {
  const real = openSync(dir.at("root/d"), "r")
  return {
    files: filesIn(dir.at("root")),
    at: (name) => dir.at("root", name),
    inside: (name) => `/proc/self/fd/${real}/${name}`,
    outside: (name) => dir.at("outside", name),
  }
}

/** "inside", "ESCAPED", or the code of the refusal. */
async function run(race: Race, scene: Scene): Promise<string> {
  let answer = ""
  let said = "inside"
  try {
    answer = JSON.stringify(await race.call(scene))
  } catch (error) {
    said = codeOf(error)
  }
  return race.escaped(scene, answer) ? "ESCAPED" : said
}

function codeOf(error: unknown): string {
  if (error instanceof ToolError) return error.code
  throw error
}

describe("under a directory/symlink swap", () => {
  test.each(Object.keys(RACES))("%s: nothing outside is read, changed or removed, and a plain call does it", async (name) => {
    const race = RACES[name]
    if (race === undefined) throw new Error("no such race")
    using dir = scratch(PLANTED)
    const scene = sceneOf(dir)
    await using swapper = swapping(dir.at("root"), "d", "l")
    const seen: Record<string, number> = {}
    let controls = 0
    for (let calls = 0, end = performance.now() + SECONDS * 1000; performance.now() < end; calls++) {
      race.prepare?.(scene)
      const said = await run(race, scene)
      seen[said] = (seen[said] ?? 0) + 1
      if (calls % CONTROL_EVERY === 0 && race.control(scene)) controls++
    }
    console.log(`${name}: ${JSON.stringify(seen)}, control left the root ${controls} times, ${swapper.count} exchanges`)
    expect(seen["ESCAPED"] ?? 0).toBe(0)
    expect({ inside: (seen["inside"] ?? 0) > 0, refused: (seen["PATH_OUTSIDE_WORKDIR"] ?? 0) > 0, controls: controls > 0, exchanges: swapper.count > 100_000 }).toEqual({ inside: true, refused: true, controls: true, exchanges: true })
  })
})

describe("under a swap inside the tree that is worked on", () => {
  /** `root/t` with a hundred entries before and after the two that change places. */
  const wide = Object.fromEntries([...Array(200).keys()].map((at) => [`root/t/${at}`, "INSIDE"]))
  const tree = { ...wide, "root/t/d/x": "INSIDE", "root/t/l": { link: "../../outside" }, "outside/x": "OUTSIDE", "outside/sub/y": "OUTSIDE", "outside/control/c": "OUTSIDE" }

  test("recursive delete takes nothing outside away, and a plain walk does", async () => {
    using dir = scratch({ "outside/x": "OUTSIDE", "outside/sub/y": "OUTSIDE" })
    const files = filesIn(dir.path)
    const seen = { escaped: 0, exchanges: 0, control: 0 }
    const answers: Record<string, number> = {}
    for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
      dir.plant(tree)
      await using swapper = swapping(dir.at("root/t"), "d", "l")
      while (swapper.count === 0) await Bun.sleep(0)
      if (text(dir.at("root/t/d/x")) === "OUTSIDE") seen.control++
      const said = await files.remove("root/t", true).then(() => "ok", codeOf)
      answers[said] = (answers[said] ?? 0) + 1
      seen.exchanges += swapper.count
      if (text(dir.at("outside/x")) !== "OUTSIDE" || text(dir.at("outside/sub/y")) !== "OUTSIDE") seen.escaped++
      rmSync(dir.at("root"), { recursive: true, force: true })
    }
    console.log(`recursive delete, swap inside: ${JSON.stringify({ ...answers, ...seen })}`)
    expect([seen.escaped, (answers["ok"] ?? 0) > 0, seen.control > 0, seen.exchanges > 1000]).toEqual([0, true, true, true])
  })

  test("copy carries nothing outside into the tree, and a plain walk does", async () => {
    using dir = scratch(tree)
    const files = filesIn(dir.path)
    await using swapper = swapping(dir.at("root/t"), "d", "l")
    const seen = { escaped: 0, control: 0 }
    const answers: Record<string, number> = {}
    for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
      const said = await files.copy("root/t", "copied").then(() => "ok", codeOf)
      answers[said] = (answers[said] ?? 0) + 1
      if (carried(dir.at("copied"))) seen.escaped++
      rmSync(dir.at("copied"), { recursive: true, force: true })
      if (text(dir.at("root/t/d/x")) === "OUTSIDE") seen.control++
    }
    console.log(`copy, swap inside: ${JSON.stringify({ ...answers, ...seen })}, ${swapper.count} exchanges`)
    expect([seen.escaped, (answers["ok"] ?? 0) > 0, seen.control > 0, swapper.count > 10_000]).toEqual([0, true, true, true])
  })
})

/** Whether a real file in the copy has what is outside. A link that leads there is another thing: it was copied as a link. */
function carried(copied: string): boolean {
  const entries = tried(() => readdirSync(copied, { withFileTypes: true })) ?? []
  return entries.some((entry) => entry.isDirectory() && (text(`${copied}/${entry.name}/x`) === "OUTSIDE" || existsSync(`${copied}/${entry.name}/sub`)))
}
