/**
 * Confines itself as the product does, then tries what it is told to: plain calls of node:fs, other programs, sockets,
 * signals. Prints the answers as JSON: "done", or the reason of the refusal. One file: a confined program reads no other.
 */
import * as fs from "node:fs"
import { confine, type Launch } from "../../src/confine/confine.ts"
import { inForce } from "../../src/confine/confinement.ts"
import { gatherFacts } from "../../src/confine/facts.ts"
import { kernelHere } from "../../src/confine/kernel.ts"
import { chooseProbe } from "../../src/confine/probe.ts"
import { reexec } from "../../src/confine/reexec.ts"
import { rulesFor } from "../../src/confine/rules.ts"
import { makeRuleset } from "../../src/confine/ruleset.ts"

const CALLS = {
  read: (path: string) => fs.readFileSync(path),
  list: (path: string) => fs.readdirSync(path),
  create: (path: string) => fs.writeFileSync(path, "new", { flag: "wx" }),
  append: (path: string) => fs.appendFileSync(path, "more"),
  truncate: (path: string) => fs.truncateSync(path, 1),
  mkdir: (path: string) => fs.mkdirSync(path),
  rmdir: (path: string) => fs.rmdirSync(path),
  unlink: (path: string) => fs.unlinkSync(path),
  rename: (from: string, to: string) => fs.renameSync(from, to),
  link: (from: string, to: string) => fs.linkSync(from, to),
  symlink: (path: string) => fs.symlinkSync("anywhere", path),
  /** Refused by a program = a status that is not 0; its own words are the reason. */
  run: (...argv: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(argv, { env: { LC_ALL: "C", LD_LIBRARY_PATH: process.env.TOOL_LIBRARIES ?? "" } })
    if (exitCode !== 0) throw new Error(stderr.toString().trim() || `status ${exitCode}`)
  },
  bind: (port: string) => {
    Bun.listen({ hostname: "127.0.0.1", port: Number(port), socket: { data: () => {} } }).stop(true)
  },
  connect: async (port: string) => {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port: Number(port), socket: { data: () => {} } })
    socket.end()
  },
  signal: (pid: string) => process.kill(Number(pid), 0),
} as const

export type Attempt = readonly [call: keyof typeof CALLS, ...values: string[]]

async function attempt([call, ...values]: Attempt): Promise<string> {
  try {
    const run: (...values: string[]) => unknown = CALLS[call]
    await run(...values)
    return "done"
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    return "code" in error ? String(error.code) : error.message
  }
}

interface Told extends Launch {
  readonly attempts: readonly Attempt[]
  /** Behave as on a kernel that offers no more than this. */
  readonly abi?: number
}

/** What confine() does, with the kernel's ABI lowered. */
function confineAs(abi: number, told: Told): never {
  const { landlock } = kernelHere()
  if (landlock === null) throw new Error("no Landlock")
  const facts = gatherFacts(told)
  const rules = rulesFor(told.config, facts)
  return reexec(landlock, makeRuleset(landlock, abi, rules), facts.executable, { launch: told, confinement: inForce(abi), probe: chooseProbe(rules) })
}

const { launch, confinement } = await confine<Told>(() => {
  const told: Told = JSON.parse(process.argv[2] ?? "")
  return told.abi === undefined ? told : confineAs(told.abi, told)
})
const answers: string[] = []
for (const each of launch.attempts) answers.push(await attempt(each))
console.log(JSON.stringify({ confinement, answers }))
process.exit(0)
