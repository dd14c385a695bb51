/** Confines itself as the product does, and prints what the second image sees of itself. */
import * as fs from "node:fs"
import { confine, type Launch } from "../../src/confine/confine.ts"

const { launch } = await confine<Launch & { image: number }>(() => ({ ...JSON.parse(process.env.TOLD ?? ""), image: process.pid }))
const descriptors = fs.readdirSync("/proc/self/fd").flatMap((fd) => {
  try {
    return [fs.readlinkSync(`/proc/self/fd/${fd}`)]
  } catch {
    return [] // The descriptor of the listing itself.
  }
})
console.log(JSON.stringify({
  pid: process.pid,
  firstImage: launch.image,
  argv: process.argv.slice(2),
  execArgv: process.execArgv,
  marks: Object.keys(process.env).filter((name) => name.startsWith("SERVERFS_")),
  kept: process.env.KEPT,
  frozen: Object.isFrozen(launch.config.workdirs[0]),
  descriptors,
  stdin: await Bun.stdin.text(),
}))
process.exit(7)
