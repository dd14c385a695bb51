import { readdirSync, readFileSync } from "node:fs"

/** How many child processes this process has, whichever thread started them. */
export function countChildren(): number {
  const tasks = readdirSync("/proc/self/task")
  return tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter((pid) => pid !== "")).length
}
