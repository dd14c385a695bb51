/** search_text against the bundled ripgrep with the same arguments, whose reader stops at the 51st line. */
import { rgPath } from "@vscode/ripgrep"
import { availableParallelism } from "node:os"
import { ripgrepArgs } from "../../src/search/args.ts"
import { Policy } from "../../src/workdir/policy.ts"
import { startGateway, workdirs } from "../lib/gateway.ts"
import { openTimed } from "../lib/load.ts"
import { type Bench, ms, type Row } from "../lib/row.ts"
import { compare, takeTurns } from "../lib/turns.ts"

const LIMIT = 50
/** The default of SEARCH_MAX_FILE_BYTES, and what operations/search-text.ts asks for a file. */
const BOUNDS = { maxFileBytes: 52_428_800, maxLinesPerFile: LIMIT + 1 + 1000 }
const ALLOWED_MS = 8
const NEWLINE = 0x0a

/** Where the 51st line lies is up to ripgrep's threads, and takes it 25 to 150 ms: more pairs are needed for a median that means something. */
const QUERIES = [
  ["50 hits", "EXPORT_SYMBOL_GPL", 5],
  ["no hit", "no_such_symbol_anywhere", 1],
] as const

export async function* search({ tree, scratch, pairs }: Bench): AsyncGenerator<Row> {
  await using product = await startGateway({ scratch, env: workdirs({ tree }) })
  using ours = await openTimed(product.mcp)
  // The host may have taken the page cache back: a cold tree takes longer to search than a call may.
  Bun.spawnSync([rgPath, "--quiet", "-uu", "no_such_symbol_anywhere", tree])
  const policy = new Policy({ allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: [] })
  for (const [name, query, more] of QUERIES) {
    // The kernel's own .gitignore ends with "/*".
    const searched = () => ours.call({ tool: "search_text", args: { workdir: "tree", query, limit: LIMIT, include_ignored: true } })
    const args = ripgrepArgs({ query, glob: "", caseSensitive: true, regex: false, includeIgnored: true }, policy, BOUNDS)
    const turns = await takeTurns(pairs * more, searched, () => ripgrep(args, tree))
    const compared = compare(turns, Number)
    const over = compare(turns.map(({ ours, theirs }) => ({ ours: ours - ALLOWED_MS, theirs })), Number)
    yield { work: `search_text, ${name}`, ours: ms(compared.ours), reference: `${ms(compared.theirs)} rg`, ratio: compared.ratio, target: "≤ 1.15× + 8 ms", met: over.ratio <= 1.15 }
  }
}

/** Milliseconds to its 51st line, or to its end. */
async function ripgrep(args: readonly string[], cwd: string): Promise<number> {
  const begin = performance.now()
  const child = Bun.spawn([rgPath, `--threads=${Math.min(8, availableParallelism())}`, ...args], { cwd, env: {}, stdin: "ignore", stdout: "pipe", stderr: "ignore" })
  let lines = 0
  for await (const chunk of child.stdout) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    if (lines > LIMIT) break
  }
  child.kill("SIGKILL")
  await child.exited
  return performance.now() - begin
}
