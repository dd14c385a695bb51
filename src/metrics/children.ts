/** How many processes this one has started that are still there. Only searches start any. */
import { readdirSync, readFileSync } from "node:fs"

/** proc_pid_task_children(5): each thread's own. null = the thread has ended meanwhile, or the kernel was built without it. */
function childrenOf(task: string): string | null {
  try {
    return readFileSync(`/proc/self/task/${task}/children`, "utf8")
  } catch {
    return null
  }
}

export function countChildren(): number {
  const lists = readdirSync("/proc/self/task").map((task) => childrenOf(task) ?? "")
  return lists.join(" ").split(" ").filter((pid) => pid !== "").length
}
