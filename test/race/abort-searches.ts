/** Run as a process of its own: aborts many searches, says what is left over, and then has nothing to stay alive for. */
import { readdirSync } from "node:fs"
import { Cancelled } from "../../src/errors.ts"
import { LaneCall } from "../../src/lane/lane-call.ts"
import { OpenDirectory } from "../../src/lane/open-directory.ts"
import { searchText } from "../../src/operations/search-text.ts"
import { countChildren } from "../../src/metrics/children.ts"
import { settingsOf } from "../helpers/in-lane.ts"

const [root = "", count = "0"] = process.argv.slice(2)
const INPUT = { query: "needle", path: "", glob: "", caseSensitive: true, limit: 100, regex: false, contextLines: 0, includeIgnored: false }

const directory = new OpenDirectory(settingsOf(root))
const outcomes = { cancelled: 0, answered: 0 }

async function searchAndAbort(afterMs: number): Promise<void> {
  const call = new LaneCall(1, 30_000, false, () => {}, () => {})
  const answer = directory.with((open) => searchText(open, INPUT, call))
  const timer = setTimeout(() => call.cancel(), afterMs)
  try {
    await answer
    outcomes.answered++
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    outcomes.cancelled++
  } finally {
    clearTimeout(timer)
    call.end()
  }
}

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length
}

await searchAndAbort(0)
const before = openDescriptors()
for (let done = 0; done < Number(count); done += 10) {
  await Promise.all(Array.from({ length: 10 }, (_, index) => searchAndAbort((done + index) % 40)))
}
console.log(JSON.stringify({ ...outcomes, descriptors: openDescriptors() - before, children: countChildren() }))
