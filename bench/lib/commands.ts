/** A program of the system as the reference. */

/** Milliseconds from its start to its end. Throws when it fails. */
export async function timedCommand(command: readonly string[]): Promise<number> {
  const begin = performance.now()
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "ignore" })
  const status = await child.exited
  if (status !== 0) throw new Error(`${command[0]} ended with ${status}`)
  return performance.now() - begin
}
