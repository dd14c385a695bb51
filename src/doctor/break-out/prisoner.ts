/** The process that doctor confines as the gateway will be, to see whether it gets out. Told on stdin, it answers on stdout. */
import { type Confinement } from "../../confine/confinement.ts"
import { confine, type Launch } from "../../confine/confine.ts"
import { ripgrepInMemory } from "../../search/ripgrep-in-memory.ts"
import { tryWay } from "./try-way.ts"
import type { Way } from "./ways.ts"

export interface Told extends Launch {
  readonly ways: readonly Way[]
}

export interface Answer {
  readonly confinement: Confinement
  /** What tryWay() said of each way, in their order. */
  readonly answers: readonly string[]
}

export async function breakOut(): Promise<Answer> {
  const { launch, confinement } = await confine<Told>(async () => JSON.parse(await Bun.stdin.text()))
  const ripgrep = launch.ripgrep ?? ripgrepInMemory()
  const answers: string[] = []
  for (const way of launch.ways) answers.push(await tryWay(way, ripgrep))
  return { confinement, answers }
}
