import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { rendered, tables } from "../scripts/readme.ts"
import { VARIABLES } from "../src/config/variables/variables.ts"
import { SCOPES, SOUND_ABI, TCP } from "../src/confine/rights.ts"
import { leastChoice } from "../src/oauth/terms.ts"
import { IDLE_MS } from "../src/state/grants.ts"
import { DEFAULT_DENY_GLOBS } from "../src/workdir/deny.ts"
import manifest from "../package.json" with { type: "json" }
import { blocks, commandsIn, README as readme } from "./readme/commands.ts"
import { EXECUTED } from "./readme/executed.ts"

const source = (path: string): string => readFileSync(join(import.meta.dir, "..", path), "utf8")

describe("README.md", () => {
  test("has every table as the code has it (bun run readme writes them)", () => {
    expect(readme).toBe(rendered(readme))
    for (const name of Object.keys(tables())) expect(readme).toContain(`<!-- table: ${name} -->`)
  })

  test("names every glob of the built-in deny rules, and no other", () => {
    const rule = /^- \*\*denied\*\*: ([^]*?) with everything in them/m.exec(readme)?.[1] ?? ""
    expect([...rule.matchAll(/`([^`]+)`/g)].map(([, glob]) => glob)).toEqual([...DEFAULT_DENY_GLOBS])
  })

  test("says what the consent page grants unless more is chosen, and when a grant lapses", () => {
    const { readOnly, lasts } = leastChoice([])
    expect([readOnly, lasts]).toEqual([true, "1d"])
    expect(readme).toContain(`read only and for 1 day, and what nobody uses for ${IDLE_MS / 86_400_000} days ends`)
  })

  test("gives a reason for every runtime dependency, and for none that is not there", () => {
    const section = readme.slice(readme.indexOf("### Dependencies"))
    const listed = [...section.matchAll(/^- `([^`]+)`/gm)].map((match) => match[1])
    expect(listed.sort()).toEqual(Object.keys(manifest.dependencies).sort())
  })
})

describe("the README's commands", () => {
  const commands = commandsIn(readme)

  test("no code is broken over two lines, where it would be looked for in vain", () => {
    const broken = readme.replace(/^ *```[^]*?^ *```$/gm, "").split("\n").filter((line) => (line.match(/`/g)?.length ?? 0) % 2 === 1)
    expect(broken).toEqual([])
  })

  test("every block says what it is written in", () => {
    expect(blocks(readme).map(({ language }) => language).filter((language) => language === "")).toEqual([])
  })

  test("are each in the table of what executes them, and nothing else is", () => {
    expect(Object.keys(EXECUTED).sort()).toEqual([...commands].sort())
  })

  test.each(Object.entries(EXECUTED))("%s: what executes or checks it takes it from here", (command, how) => {
    const file = "by" in how ? how.by : how.checked
    if ("by" in how && how.as !== undefined) return expect(source(file)).toContain(how.as)
    const taken = [...source(file).matchAll(/documented\((["'`])(.+?)\1\)/g)].map(([, , start = ""]) => start)
    if ("by" in how || taken.length > 0) return expect(taken.some((start) => command.startsWith(start))).toBe(true)
    // What `serverfs connect` prints is checked where that is tested.
    expect(source(file)).toContain(`wordsOf("${command.split(" ")[0]}"`)
  })

  test("only few are not executed, each for what most machines have not", () => {
    const left = Object.values(EXECUTED).filter((how) => "needs" in how)
    expect(left.length).toBeLessThanOrEqual(7)
  })
})

test.each(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".env.example"])("%s ends with a newline", (name) => {
  expect(source(name)).toMatch(/\S\n$/)
})

describe("the README's tables", () => {
  test("of limits has every variable that is a limit", () => {
    const limits = readme.slice(readme.indexOf("<!-- table: limits -->"))
    const names = Object.keys(VARIABLES).filter((name) => /MAX|KEEP|TIMEOUT|PER_MINUTE|DEFAULT_\w+_(LIMIT|RESULTS)$/.test(name))
    expect(names.filter((name) => !limits.includes(`\`${name}\``))).toEqual([])
    expect(names.length).toBeGreaterThan(15)
  })

  test("of kernels has those that brought the Landlock ABIs that make a difference", () => {
    // landlock(7), "Versions".
    const kernelOf = new Map([[1, "5.13"], [2, "5.19"], [3, "6.2"], [4, "6.7"], [5, "6.10"], [6, "6.12"]])
    const row = (abi: number) => readme.split("\n").find((line) => line.startsWith(`| ${kernelOf.get(abi)} |`)) ?? ""
    expect(row(1)).toContain("Landlock")
    expect(row(2)).toContain("moves between directories")
    expect(row(SOUND_ABI)).toContain("truncation; `SERVERFS_CONFINE=required` starts from here")
    expect(row(TCP.since)).toContain("TCP")
    expect(row(SCOPES.since)).toContain("signals and abstract sockets")
  })
})

describe("CONTRIBUTING.md", () => {
  const contributing = source("CONTRIBUTING.md")

  test("names every folder and file of src/ on the journey", () => {
    const names = readdirSync(join(import.meta.dir, "../src"), { withFileTypes: true }).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    expect(names.filter((name) => !contributing.includes(`\`${name}\``))).toEqual([])
  })

  test("names no script that is not there", () => {
    const scripts = [...contributing.matchAll(/`bun run ([\w:]+)`/g)].map(([, name = ""]) => name)
    expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
    const files = [...contributing.matchAll(/(test\/[\w/-]+\.ts|\.ci\/run)/g)].map(([path]) => path)
    expect(files.filter((path) => !existsSync(join(import.meta.dir, "..", path)))).toEqual([])
  })
})
