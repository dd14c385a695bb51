/**
 * bun test/fuzz/run.ts [--requests 1000000] [--seed 1]
 *
 * Prints how often each answer came, the product's memory after each tenth, and every fault; ends with 1 when there is one.
 */
import { parseArgs } from "node:util"
import { fuzz } from "./fuzz.ts"

const { values } = parseArgs({ options: { requests: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } } })
const { faults, ...figures } = await fuzz({ seed: Number(values.seed), requests: Number(values.requests) })
console.log(JSON.stringify(figures, null, 2))
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)
