/** One tool against the exchanger: how often which answer came, what of the outside was seen or changed, and whether the control leaked. */
import { rgPath } from "@vscode/ripgrep"
import { lstatSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Product, startProduct } from "../../helpers/product.ts"
import { asking, type Timed } from "../../hostile/calls.ts"
import { type Arena, CALLERS, createArena, MARK, OUTSIDE_BYTES, PAIRS } from "./arena.ts"
import type { Attack } from "./attacks.ts"

const NOBODY = 65_534
const MAIN = join(import.meta.dir, "../../../src/main.ts")

export interface Terms {
  /** At least. */
  readonly ms: number
  /** However few the calls are by then. */
  readonly mostMs: number
  readonly calls: number
  readonly exchanges: number
  readonly root: boolean
  readonly confine: "off" | "auto"
}

export interface Outcome {
  readonly calls: number
  readonly seconds: number
  readonly exchanges: number
  /** By code; successes as "inside" or, when nothing was found, "nothing". */
  readonly answers: Readonly<Record<string, number>>
  readonly outsideSeen: number
  /** "" for nothing. */
  readonly outsideChanged: string
  readonly controlLeaks: number
  /** Whether both answers, a leak of the control, and as many calls and exchanges as were asked for were seen. */
  readonly valid: boolean
}

/** Until `terms` are met; the exchanges go on beside the calls. */
export async function race(attack: Attack, terms: Terms): Promise<Outcome> {
  using arena = createArena(terms.root ? 0 : NOBODY)
  await using product = await startProduct({
    command: [...(terms.root ? [] : asNobody()), process.execPath, "--no-env-file", MAIN],
    cwd: "/",
    stateDir: arena.state,
    ...(attack.mount === "/mcp" ? { workdirs: { work: [arena.root, "rw"] } } : { files: arena.root }),
    env: { SERVERFS_CONFINE: terms.confine },
  })
  const exchanger = Bun.spawn([process.execPath, join(import.meta.dir, "exchange-process.ts"), arena.root, JSON.stringify(PAIRS)], { stdout: "pipe", stderr: "inherit" })
  const tally = new Tally(attack)
  const began = performance.now()
  let controlLeaks = 0
  const going = (): boolean => {
    const ms = performance.now() - began
    return ms < terms.ms || (tally.calls < terms.calls && ms < terms.mostMs)
  }
  try {
    await Promise.all([
      ...Array.from({ length: CALLERS }, (_, caller) => keepCalling(attack, arena, product, caller, tally, going)),
      (async () => {
        for (; going(); await Bun.sleep(20)) controlLeaks += Number(await controlLeaked(attack, arena.root))
      })(),
    ])
  } finally {
    exchanger.kill("SIGTERM")
  }
  const exchanges = Number(await exchanger.stdout.text())
  const { answers, calls, outsideSeen } = tally
  const refused = Object.keys(answers).some((answer) => answer !== "inside" && answer !== "nothing")
  const bothSeen = !attack.raced || (refused && answers["inside"] !== undefined)
  return {
    calls, answers, outsideSeen, exchanges, controlLeaks,
    seconds: Math.round((performance.now() - began) / 1000),
    outsideChanged: arena.changed(),
    valid: bothSeen && controlLeaks > 0 && exchanges >= terms.exchanges && calls >= terms.calls,
  }
}

function asNobody(): string[] {
  if (process.getuid?.() !== 0) return []
  return ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--inh-caps=-all"]
}

async function keepCalling(attack: Attack, arena: Arena, product: Product, caller: number, tally: Tally, going: () => boolean): Promise<void> {
  const ask = asking(product, attack.mount)
  for (let n = caller; going(); n++) {
    const { args, after } = attack.round(arena, caller, n)
    const answer = await ask(attack.tool, args)
    tally.add(answer, after?.(answer) ?? false)
  }
}

class Tally {
  readonly answers: Record<string, number> = {}
  calls = 0
  outsideSeen = 0
  readonly #attack: Attack

  constructor(attack: Attack) {
    this.#attack = attack
  }

  add({ code, value, text }: Timed, leaked: boolean): void {
    const answer = code ?? (this.#attack.inside(value) ? "inside" : "nothing")
    this.answers[answer] = (this.answers[answer] ?? 0) + 1
    this.calls++
    if (leaked || text.includes(MARK) || text.includes(`:${OUTSIDE_BYTES}`)) this.outsideSeen++
  }
}

/** What a program does that looks first and then opens, or that trusts ripgrep. */
async function controlLeaked({ tool }: Attack, root: string): Promise<boolean> {
  if (tool === "search_text") {
    const rg = Bun.spawn([rgPath, "--no-config", "needle", "."], { cwd: root, env: {}, stdout: "pipe", stderr: "ignore" })
    return (await rg.stdout.text()).includes(MARK)
  }
  for (let tries = 0; tries < 100; tries++) {
    try {
      if (lstatSync(join(root, "d")).isDirectory() && readFileSync(join(root, "d/f"), "utf8").includes(MARK)) return true
    } catch {
      // It was exchanged for something that could not be opened: no leak.
    }
  }
  return false
}
