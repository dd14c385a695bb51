/** Chains of directories far beyond what a path can say, through the confined product: the kernel looks at every level of them for each call. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Fd } from "../../src/fs/fd.ts"
import { AT, O } from "../../src/fs/flags.ts"
import { mkdirat, openat } from "../../src/fs/libc.unsafe.ts"
import { descriptorsOf } from "../e2e/proc.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking } from "./calls.ts"

const LEVELS = 6000
const CALL_MS = 280_000

let home: Scratch
let product: Product
let ask: Ask

beforeAll(async () => {
  home = scratch({ files: null })
  for (const levels of [LEVELS / 2, LEVELS]) makeChain(home.at("files", `chain-${levels}`), levels)
  product = await startProduct({ files: home.at("files"), env: { SERVERFS_CALL_TIMEOUT_SECONDS: String(CALL_MS / 1000) } })
  ask = asking(product, "/files-mcp")
}, 60_000)

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  Bun.spawnSync(["rm", "-rf", home.path])
}, 60_000)

/** In every directory a file that says which level it is. */
function makeChain(top: string, levels: number): void {
  mkdirSync(top)
  let dir = Fd.own(openat(AT.FDCWD, top, O.RDONLY | O.DIRECTORY))
  for (let level = 0; level < levels; level++) {
    using here = dir
    writeFileSync(`${here.procPath}/f`, String(level))
    mkdirat(here.number, "d", 0o750)
    dir = Fd.own(openat(here.number, "d", O.RDONLY | O.DIRECTORY))
  }
  dir[Symbol.dispose]()
}

/** How many levels have their own file and nothing more than what is next. */
function levelsOf(top: string): number {
  let dir = Fd.own(openat(AT.FDCWD, top, O.RDONLY | O.DIRECTORY))
  for (let level = 0; ; level++) {
    using here = dir
    const names = readdirSync(here.procPath).sort().join()
    if (names === "") return level
    if (names !== "d,f" || readFileSync(`${here.procPath}/f`, "utf8") !== String(level)) return Number.NaN
    dir = Fd.own(openat(here.number, "d", O.RDONLY | O.DIRECTORY))
  }
}

/** Milliseconds of processor time so far. */
function processorMs(): number {
  const fields = readFileSync(`/proc/${product.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The call's processor time; it must succeed with few descriptors. */
async function costOf(tool: string, args: object): Promise<number> {
  const before = { ms: processorMs(), descriptors: descriptorsOf(product.pid) }
  let most = 0
  const watch = setInterval(() => { most = Math.max(most, descriptorsOf(product.pid)) }, 20)
  const { code, ms } = await ask(tool, args).finally(() => clearInterval(watch))
  const cost = processorMs() - before.ms
  console.log(`${tool} ${JSON.stringify(args)}: ${code ?? "ok"}, ${Math.round(ms)} ms, ${cost} ms of processor time, ${most - before.descriptors} more descriptors`)
  expect(code).toBeNull()
  expect(most - before.descriptors).toBeLessThan(40)
  return cost
}

test(`${LEVELS} levels are copied whole and removed; twice the levels are twice the work of removing, not four times`, async () => {
  await costOf("copy", { src: `chain-${LEVELS}`, dst: "copied" })
  expect([levelsOf(home.at("files/copied")), levelsOf(home.at(`files/chain-${LEVELS}`))]).toEqual([LEVELS, LEVELS])
  const half = await costOf("delete_file", { path: `chain-${LEVELS / 2}`, recursive: true })
  const whole = await costOf("delete_file", { path: `chain-${LEVELS}`, recursive: true })
  expect(whole).toBeLessThan(3 * half)
  expect(readdirSync(home.at("files"))).toEqual(["copied"])
}, 2 * CALL_MS)
