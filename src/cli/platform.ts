/** Why serverfs cannot run on this platform (process.platform), as a line for stderr; null = it can. */
export function unsupported(platform: string): string | null {
  if (platform === "linux") return null
  return `serverfs: this is ${platform}, and serverfs runs on Linux only: use a container, a virtual machine or WSL 2`
}
