/**
 * bun test/fuzz/run.ts [--requests 1000000] [--seconds N] [--seed 1]
 *
 * Prints how often each answer came, the product's memory after every 25,000 requests, and every fault; ends with 1 when there is one.
 */
import { parseArgs } from "node:util"
import { fuzz } from "./fuzz.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "Infinity" },
    seed: { type: "string", default: "1" },
  },
})
const { faults, ...figures } = await fuzz({ seed: Number(values.seed), requests: Number(values.requests), ms: Number(values.seconds) * 1000 })
console.log(JSON.stringify(figures, null, 2))
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)
