/** bun bench/run.ts [GROUP …] [--tree DIR] [--pairs N] [--calls N] [--long-run N] [--scratch DIR]: prints a table of ratios. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { cpus, loadavg, release, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tree: { type: "string" },
    scratch: { type: "string", default: tmpdir() },
    pairs: { type: "string", default: "5" },
    calls: { type: "string", default: "4000" },
    "long-run": { type: "string", default: "100000" },
  },
})
const groups = positionals.length === 0 ? Object.keys(GROUPS) : positionals

function line({ work, ours, reference, ratio, target, met }: Row): string {
  return `| ${work} | ${ours} | ${reference} | ${ratio === null ? "–" : `${rounded(ratio)}×`} | ${target} | ${met ? "yes" : "**no**"} |`
}

const load = () => loadavg().map((each) => each.toFixed(1)).join(" ")

mkdirSync(values.scratch, { recursive: true })
const scratch = realpathSync(mkdtempSync(join(values.scratch, "serverfs-bench-")))
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

const bench = { tree: treeIn(scratch, values.tree), scratch, pairs: Number(values.pairs), calls: Number(values.calls), longRun: Number(values["long-run"]) }
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Linux ${release()}, Bun ${Bun.version}; load ${load()}\n`)
console.log("| work | serverfs | reference | ratio | target | met |\n|---|---|---|---|---|---|")
for (const name of groups) {
  const rows = GROUPS[name]
  if (rows === undefined) throw new Error(`no such group: ${name}; there are ${Object.keys(GROUPS).join(", ")}`)
  for await (const row of rows(bench)) console.log(line(row))
}
console.log(`\nload at the end ${load()}`)
