/** In a mount namespace of its own: whatever is mounted goes with it. */
const INSIDE = "SERVERFS_OWN_MOUNTS"

/** Runs the script again in there, and `work` once it is there; the exit status. */
export async function inOwnMounts(script: string, work: () => Promise<number>): Promise<number> {
  if (process.env[INSIDE] !== undefined) return work()
  const command = ["unshare", "--mount", "--propagation", "private", process.execPath, script, ...process.argv.slice(2)]
  return Bun.spawn(command, { env: { ...process.env, [INSIDE]: "1" }, stdio: ["ignore", "inherit", "inherit"] }).exited
}
