/** Processes that a run starts: none of them outlives it, however it ends. */

const running = new Set<Bun.Subprocess>()
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")))

export function start<Out extends "pipe" | "ignore">(command: readonly string[], env: Record<string, string | undefined>, stdout: Out): Bun.Subprocess<"ignore", Out, "ignore"> {
  const child = Bun.spawn([...command], { env, stdin: "ignore", stdout, stderr: "ignore" })
  running.add(child)
  void child.exited.finally(() => running.delete(child))
  return child
}

/** Asks it to end, and waits. */
export async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM")
  await child.exited
}
