/** Commands of the machine that stands in for a container engine. Needs root. */

/** Throws with what it said when it fails. */
export function host(...command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { stdout: "pipe", stderr: "pipe" })
  if (!success) throw new Error(`${command.join(" ")}\n${stdout}${stderr}`)
  return stdout.toString()
}

/** The files that a program is linked with, its loader among them. */
export function linkedWith(program: string): string[] {
  const { stdout } = Bun.spawnSync(["ldd", program], { stderr: "ignore" })
  return [...stdout.toString().matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path)
}
