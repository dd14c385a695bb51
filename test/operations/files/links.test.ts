/** Every argument of every tool against every kind of link, each that leads outside with a plain open that would have followed. */
import { describe, expect, test } from "bun:test"
import { lstatSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { type Planted, type Scratch, scratch } from "../../helpers/scratch.ts"
import { type Files, filesIn, outcome } from "./driver.ts"

/** One argument of one tool, the rest being harmless. */
type Use = (files: Files, path: string) => Promise<unknown>

const FOLLOWING: Readonly<Record<string, Use>> = {
  "read_file path": (files, path) => files.read(path),
  "update_file path": (files, path) => files.update(path),
  "create_file path, overwriting": (files, path) => files.create(path, "new", true),
  "copy src": (files, path) => files.copy(path, "copied"),
}
const KEEPING: Readonly<Record<string, Use>> = {
  "stat path": (files, path) => files.stat(path),
  "delete_file path": (files, path) => files.remove(path),
  "delete_file path, recursive": (files, path) => files.remove(path, true),
  "move src": (files, path) => files.move(path, "moved"),
  "move dst, overwriting": (files, path) => files.move("plain", path, true),
  "copy dst, overwriting": (files, path) => files.copy("plain", path, true),
}
const ALL = { ...FOLLOWING, ...KEEPING }
/** For a directory that is led to. */
const ENTERING: Readonly<Record<string, Use>> = {
  "list_dir path": (files, path) => files.list(path),
  "search path": (files, path) => files.search(path),
}

/** `secret` is outside, beside the root, and in a directory whose name begins like the root's. */
function planted(tree: Readonly<Record<string, Planted>>): Scratch {
  return scratch({ secret: "outside", "root-secret/secret": "outside", "root/plain": "plain", "root/in": "inside", "root/d/e/in": "deep", ...tree })
}

/** Every file that is outside. */
function outside(dir: Scratch): string[] {
  return [readFileSync(dir.at("secret"), "utf8"), readFileSync(dir.at("root-secret/secret"), "utf8"), ...readdirSync(dir.path).sort(), ...readdirSync(dir.at("root-secret"))]
}
const UNTOUCHED = ["outside", "outside", "root", "root-secret", "secret", "secret"]

/** A link as the last component, to what a plain open reads as "outside". */
const LEADING_OUT: readonly (readonly [string, (dir: Scratch) => Record<string, Planted>])[] = [
  ["a relative link", () => ({ "root/l": { link: "../secret" } })],
  ["an absolute link", (dir) => ({ "root/l": { link: dir.at("secret") } })],
  ["an absolute link to a sibling whose name begins like the root's", (dir) => ({ "root/l": { link: dir.at("root-secret/secret") } })],
  ["a link to a link", () => ({ "root/l": { link: "m" }, "root/m": { link: "../secret" } })],
  ["an absolute link that is inside by its text alone", (dir) => ({ "root/l": { link: `${dir.at("root")}/../secret` } })],
  ["a link through a directory link", () => ({ "root/l": { link: "up/secret" }, "root/up": { link: ".." } })],
  ["a link whose .. follows a deep link", () => ({ "root/l": { link: "deep/../../../secret" }, "root/deep": { link: "d/e" } })],
  ["a link that leaves and would come back", () => ({ "root/l": { link: "../root/../secret" } })],
]

describe("a link as the last component that leads outside", () => {
  for (const [what, links] of LEADING_OUT) {
    test.each(Object.keys(FOLLOWING))(`${what}: %s is PATH_OUTSIDE_WORKDIR`, async (use) => {
      using dir = planted({})
      dir.plant(links(dir))
      expect(readFileSync(dir.at("root/l"), "utf8")).toBe("outside")
      expect(await outcome(FOLLOWING[use]!(filesIn(dir.at("root")), "l"))).toBe("PATH_OUTSIDE_WORKDIR")
      expect(outside(dir)).toEqual(UNTOUCHED)
    })

    test.each(Object.keys(KEEPING))(`${what}: %s acts on the link itself`, async (use) => {
      using dir = planted({})
      dir.plant(links(dir))
      expect(await outcome(KEEPING[use]!(filesIn(dir.at("root")), "l"))).toBe("ok")
      expect(outside(dir)).toEqual(UNTOUCHED)
    })
  }

  test("a dangling one is PATH_OUTSIDE_WORKDIR for create_file, which makes nothing", async () => {
    using dir = planted({ "root/l": { link: "../new" }, "root/m": { link: "/nowhere/new" } })
    const files = filesIn(dir.at("root"))
    for (const path of ["l", "m"]) for (const overwrite of [false, true]) expect(await outcome(files.create(path, "x", overwrite))).toBe("PATH_OUTSIDE_WORKDIR")
    expect(outside(dir)).toEqual(UNTOUCHED)
  })
})

/** A directory link in a parent component, with the path to a file that a plain open reads as "outside". */
const PARENTS: readonly (readonly [string, Record<string, Planted>, string])[] = [
  ["a link up", { "root/u": { link: ".." } }, "u/secret"],
  ["a link to the sibling", { "root/u": { link: "../root-secret" } }, "u/secret"],
  ["a link deep down", { "root/d/u": { link: "../.." } }, "d/u/secret"],
  ["a link and ..", { "root/u": { link: "../root-secret" } }, "u/../secret"],
  ["a link to the root and ..", { "root/d/q": { link: ".." } }, "d/q/../secret"],
  ["a chain of links", { "root/u": { link: "d/v" }, "root/d/v": { link: "../w" }, "root/w": { link: ".." } }, "u/secret"],
]

describe("a link as a parent that leads outside", () => {
  for (const [what, links, path] of PARENTS) {
    test.each(Object.keys(ALL))(`${what}: %s is PATH_OUTSIDE_WORKDIR`, async (use) => {
      using dir = planted(links)
      expect(readFileSync(`${dir.at("root")}/${path}`, "utf8")).toBe("outside")
      expect(await outcome(ALL[use]!(filesIn(dir.at("root")), path))).toBe("PATH_OUTSIDE_WORKDIR")
      expect(outside(dir)).toEqual(UNTOUCHED)
    })

    test.each(Object.keys(ENTERING))(`${what}: %s is PATH_OUTSIDE_WORKDIR`, async (use) => {
      using dir = planted(links)
      expect(await outcome(ENTERING[use]!(filesIn(dir.at("root")), `${path}/..`))).toBe("PATH_OUTSIDE_WORKDIR")
    })
  }
})

/** What is read through a link that stays inside. */
const STAYING: readonly (readonly [string, (dir: Scratch) => Record<string, Planted>, path: string, content: string])[] = [
  ["a relative link", () => ({ "root/l": { link: "in" } }), "l", "inside"],
  ["an absolute link, mapped into the root", (dir) => ({ "root/l": { link: dir.at("root/d/e/in") } }), "l", "deep"],
  ["a link with .. that stays", () => ({ "root/d/l": { link: "../in" } }), "d/l", "inside"],
  ["a directory link", () => ({ "root/l": { link: "d/e" } }), "l/in", "deep"],
  [".. after a directory link, which is the target's parent", () => ({ "root/l": { link: "d/e" }, "root/d/in": "middle" }), "l/../in", "middle"],
  ["an absolute link to the root itself", (dir) => ({ "root/d/l": { link: dir.at("root") } }), "d/l/in", "inside"],
  ["a link to .", () => ({ "root/l": { link: "." } }), "l/l/l/in", "inside"],
  ["a chain of 40 links", () => Object.fromEntries([...Array(39).keys()].map((at) => [`root/l${at}`, { link: `l${at + 1}` }]).concat([["root/l39", { link: "in" }]])), "l0", "inside"],
  ["a trailing slash on a file", () => ({}), "in/", "inside"],
  [".. after what is missing", () => ({}), "none/../in", "inside"],
  [".. after a file", () => ({}), "plain/../in", "inside"],
]

describe("a link that stays inside", () => {
  test.each(STAYING)("is followed: %s", async (_, links, path, content) => {
    using dir = planted({})
    dir.plant(links(dir))
    expect((await filesIn(dir.at("root")).read(path)).content).toBe(content)
  })

  test("over 40 links, and a loop, are SYMLINK_NOT_ALLOWED", async () => {
    using dir = planted({ "root/a": { link: "b" }, "root/b": { link: "a" }, "root/self": { link: "self" }, "root/d/up": { link: "up/x" } })
    dir.plant(Object.fromEntries([...Array(41).keys()].map((at) => [`root/l${at}`, { link: at === 40 ? "in" : `l${at + 1}` }])))
    const files = filesIn(dir.at("root"))
    for (const path of ["a", "self", "self/x", "d/up", "l0"]) expect([path, await outcome(files.read(path))]).toEqual([path, "SYMLINK_NOT_ALLOWED"])
    expect((await files.stat("self")).type).toBe("symlink")
  })

  test("a dangling one: create_file makes the target, the others say PATH_NOT_FOUND", async () => {
    using dir = planted({ "root/l": { link: "d/new" }, "root/m": { link: "none/new" } })
    const files = filesIn(dir.at("root"))
    const following = [() => files.read("l"), () => files.update("l"), () => files.list("l"), () => files.search("l"), () => files.copy("l", "x")]
    for (const work of following) expect(await outcome(work())).toBe("PATH_NOT_FOUND")
    expect(await outcome(files.create("m"))).toBe("PARENT_NOT_FOUND")
    expect((await files.create("l", "made")).path).toBe(dir.at("root/l"))
    expect(readFileSync(dir.at("root/d/new"), "utf8")).toBe("made")
    expect(lstatSync(dir.at("root/l")).isSymbolicLink()).toBe(true)
  })

  test("update_file and create_file write to the target and leave the link", async () => {
    using dir = planted({ "root/l": { link: "in" } })
    const files = filesIn(dir.at("root"))
    await files.update("l", "one")
    expect(readFileSync(dir.at("root/in"), "utf8")).toBe("one")
    expect(await outcome(files.create("l", "two"))).toBe("PATH_ALREADY_EXISTS")
    await files.create("l", "two", true)
    expect(readFileSync(dir.at("root/in"), "utf8")).toBe("two")
    expect(lstatSync(dir.at("root/l")).isSymbolicLink()).toBe(true)
  })

  test("results name the path with its parents followed, and what is below with all links followed", async () => {
    using dir = planted({ "root/l": { link: "d/e" }, "root/d/m": { link: "e/in" } })
    const files = filesIn(dir.at("root"))
    expect((await files.read("l/in")).path).toBe(dir.at("root/d/e/in"))
    expect((await files.read("d/m")).path).toBe(dir.at("root/d/m"))
    expect((await files.list("l")).path).toBe(dir.at("root/l"))
    expect((await files.list("l")).entries.map(({ path }) => path)).toEqual([dir.at("root/d/e/in")])
    expect((await files.search("l")).matches).toEqual([dir.at("root/d/e/in")])
    expect((await files.create("l/../new")).path).toBe(dir.at("root/d/new"))
  })

  test("the root is the root by whatever way it is reached", async () => {
    using dir = planted({ "root/d/r": { link: ".." }, "root/s": { link: "." } })
    const files = filesIn(dir.at("root"))
    for (const path of [".", "d/..", "d/e/../..", "d/r/d/.."]) expect([path, (await files.stat(path)).path]).toEqual([path, dir.at("root")])
    for (const path of ["d/..", "d/r/d/..", "s/d/.."]) {
      const changing = [() => files.remove(path, true), () => files.move(path, "x"), () => files.copy("d", path, true), () => files.move("d", path, true), () => files.create(path, "x", true)]
      for (const work of changing) expect([path, await outcome(work())]).toEqual([path, "ROOT_MUTATION_NOT_ALLOWED"])
    }
    expect(await outcome(files.create("s", "x", true))).toBe("ROOT_MUTATION_NOT_ALLOWED")
  })
})

describe("the policy on the way", () => {
  test("judges every name that is walked: given, gone back from, out of a link", async () => {
    using dir = planted({
      "root/.serverfs-tmp-1/x": "x", "root/no.secret": "x", "root/hid.secret/x": "x",
      "root/l": { link: "no.secret" }, "root/m": { link: "hid.secret/../in" }, "root/t": { link: ".serverfs-tmp-1/x" }, "root/p": { link: "hid.secret" },
    })
    const files = filesIn(dir.at("root"), { deny: ["*.secret"] })
    const cases: readonly (readonly [string, string])[] = [
      ["no.secret", "DENIED_PATH"], ["hid.secret/x", "DENIED_PATH"], ["hid.secret/../in", "DENIED_PATH"], ["none.secret/../in", "DENIED_PATH"], ["l", "DENIED_PATH"], ["m", "DENIED_PATH"], ["p/x", "DENIED_PATH"],
      [".serverfs-tmp-1/x", "RESERVED_PATH"], [".serverfs-tmp-none", "RESERVED_PATH"], [".serverfs-disabled", "RESERVED_PATH"], ["t", "RESERVED_PATH"], [".serverfs-tmp-1/../in", "RESERVED_PATH"],
    ]
    for (const [path, code] of cases) {
      expect([path, await outcome(files.read(path))]).toEqual([path, code])
      expect([path, await outcome(files.create(path, "x", true))]).toEqual([path, code])
    }
    // What names the refused thing itself, rather than a link to it.
    for (const [path, code] of cases.filter(([path]) => !["l", "m", "t"].includes(path))) {
      const others = [() => files.stat(path), () => files.remove(path, true), () => files.move(path, "x"), () => files.move("plain", path), () => files.copy("plain", path)]
      for (const work of others) expect([path, await outcome(work())]).toEqual([path, code])
    }
    expect((await files.list(".")).entries.map(({ name }) => name)).toEqual(["d", "in", "l", "m", "p", "plain", "t"])
    expect((await files.search(".", "*x")).matches).toEqual([])
  })

  test("a refused name is judged before it is looked for, so that nothing can be learnt of it", async () => {
    using dir = planted({ "root/a.secret": { link: "in" } })
    const files = filesIn(dir.at("root"), { deny: ["*.secret"] })
    const answers = await Promise.all(["a.secret", "b.secret"].map(async (path) => (await files.stat(path).catch(String)).toString().replaceAll(path, "X")))
    expect(answers[0]).toBe(answers[1]!)
    writeFileSync(dir.at("root/b.secret"), "")
    expect(await outcome(files.create("b.secret"))).toBe("DENIED_PATH")
  })
})

describe("a root that was configured by a path through a link", () => {
  test("is known by that path as well as by the real one, to callers and to links, for every argument of every tool", async () => {
    using dir = planted({ alias: { link: "." } })
    const configuredRoot = dir.at("alias/root")
    dir.plant({ "root/l": { link: `${configuredRoot}/in` } })
    const files = filesIn(dir.at("root"), { configuredRoot })
    for (const root of [configuredRoot, dir.at("root")]) {
      expect(await files.read(`${root}/in`)).toMatchObject({ path: dir.at("root/in"), content: "inside" })
      expect(await outcome(files.read(`${root}/../secret`))).toBe("PATH_OUTSIDE_WORKDIR")
      for (const [name, use] of Object.entries(ALL)) {
        dir.plant({ "root/each": "each", "root/plain": "plain" })
        expect([name, await outcome(use(files, `${root}/each`))]).toEqual([name, "ok"])
        for (const made of ["copied", "moved"]) await outcome(files.remove(made))
      }
    }
    expect((await files.read("l")).content).toBe("inside")
  })
})
