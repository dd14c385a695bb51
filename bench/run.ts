/** bun bench/run.ts [GROUP …] [--tree DIR] [--pairs N] [--calls N] [--long-run N] [--scratch DIR]: prints a table of ratios. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { cpus, loadavg, release } from "node:os"
import { join } from "node:path"
import { benchArguments } from "./lib/arguments.ts"
import { type Row, type Rows, rounded } from "./lib/row.ts"
import { treeIn } from "./lib/tree.ts"
import { bigDirectory } from "./rows/big-directory.ts"
import { bigText } from "./rows/big-text.ts"
import { calls } from "./rows/calls.ts"
import { edit } from "./rows/edit.ts"
import { find } from "./rows/find.ts"
import { memory } from "./rows/memory.ts"
import { readers } from "./rows/readers.ts"
import { search } from "./rows/search.ts"
import { start } from "./rows/start.ts"
import { surface } from "./rows/surface.ts"
import { wholeFile } from "./rows/whole-file.ts"

/** In the order of the table. */
const GROUPS: Readonly<Record<string, Rows>> = {
  calls,
  "whole-file": wholeFile,
  find,
  search,
  "big-text": bigText,
  "big-directory": bigDirectory,
  edit,
  readers,
  start,
  memory,
  surface,
}

const { groups, tree, scratch: parent, pairs, calls: callsARound, longRun } = benchArguments(Bun.argv.slice(2), Object.keys(GROUPS))

function line({ work, ours, reference, ratio, target, met }: Row): string {
  return `| ${work} | ${ours} | ${reference} | ${ratio === null ? "–" : `${rounded(ratio)}×`} | ${target} | ${met ? "yes" : "**no**"} |`
}

const load = () => loadavg().map((each) => each.toFixed(1)).join(" ")

mkdirSync(parent, { recursive: true })
const scratch = realpathSync(mkdtempSync(join(parent, "serverfs-bench-")))
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

const bench = { tree: treeIn(scratch, tree), scratch, pairs, calls: callsARound, longRun }
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Linux ${release()}, Bun ${Bun.version}; load ${load()}\n`)
console.log("| work | serverfs | reference | ratio | target | met |\n|---|---|---|---|---|---|")
for (const name of groups) {
  for await (const row of GROUPS[name]?.(bench) ?? []) console.log(line(row))
}
console.log(`\nload at the end ${load()}`)
