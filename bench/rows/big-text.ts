/** Far into a large text: a page by its line, once the way there is known, and the end. One client. */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { openTimed } from "../lib/load.ts"
import { type Bench, ms, type Row } from "../lib/row.ts"
import { median } from "../lib/statistics.ts"

const GIB = 2 ** 30
const LINE = `${"a line of a log that is long enough to be like others, ".repeat(2).slice(0, 99)}\n`
const BLOCK = Buffer.from(LINE.repeat(10_000))
const LINES = Math.floor(GIB / BLOCK.length) * 10_000
const PAGES = [0.1, 0.35, 0.6, 0.85, 0.99]

export async function* bigText({ scratch, pairs }: Bench): AsyncGenerator<Row> {
  const root = join(scratch, "big-text")
  mkdirSync(root)
  writeLines(join(root, "1g.log"))
  writeWithHole(join(root, "2g.log"))
  await using product = await startGateway({ scratch, env: workdirs({ text: root }) })
  using client = await openTimed(product.mcp)

  const page = (share: number) => client.call({ tool: "read_text_file", args: { workdir: "text", path: "1g.log", start_line: Math.floor(share * LINES) } })
  const first = await page(1 - 1e-6)
  for (const share of PAGES) await page(share)
  const again: number[] = []
  for (let round = 0; round < pairs; round++) for (const share of PAGES) again.push(await page(share))
  yield row("page k of a 1 GB text", again, `${ms(first)} the first time`)

  const tail: number[] = []
  for (let round = 0; round < pairs * PAGES.length; round++) tail.push(await client.call({ tool: "read_text_file", args: { workdir: "text", path: "2g.log", tail_lines: 50 } }))
  yield row("tail_lines 50 of 2 GB", tail, "–")
}

function row(work: string, taken: readonly number[], reference: string): Row {
  return { work, ours: ms(median(taken)), reference, ratio: null, target: "≤ 5 ms", met: median(taken) <= 5 }
}

function writeLines(path: string): void {
  const fd = openSync(path, "w")
  for (let written = 0; written + BLOCK.length <= GIB; written += BLOCK.length) writeSync(fd, BLOCK)
  closeSync(fd)
}

/** Text at both ends, 2 GB in all. */
function writeWithHole(path: string): void {
  const fd = openSync(path, "w")
  writeSync(fd, BLOCK)
  ftruncateSync(fd, 2 * GIB)
  writeSync(fd, BLOCK, 0, BLOCK.length, 2 * GIB - BLOCK.length)
  closeSync(fd)
}
