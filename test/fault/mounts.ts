/** Filesystems of the script's own, in a mount namespace of its own: nothing of them is seen outside or outlives it. Needs root. */
import { execFileSync } from "node:child_process"
import { mkdirSync, truncateSync, writeFileSync } from "node:fs"
import type { Scratch } from "../helpers/scratch.ts"

const IMAGE_BYTES = 512 << 20

/** Runs the script `file` again inside a private mount namespace, unless it is there already; ends the process with its status. */
export function inPrivateNamespace(file: string): void {
  if (process.env["MOUNTS_ARE_PRIVATE"] === "1") return
  const { exitCode } = Bun.spawnSync(["unshare", "--mount", process.execPath, file, ...process.argv.slice(2)], {
    env: { ...process.env, MOUNTS_ARE_PRIVATE: "1" },
    stdio: ["inherit", "inherit", "inherit"],
  })
  process.exit(exitCode)
}

export function sh(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"] })
}

export type Kind = "ext4" | "xfs" | "tmpfs" | "overlay"

/** Mounts an empty filesystem of this kind and returns where. */
export function mountFresh(work: Scratch, kind: Kind, options = "defaults"): string {
  const point = work.at(`mnt-${kind}-${crypto.randomUUID()}`)
  mkdirSync(point)
  switch (kind) {
    case "tmpfs":
      sh("mount", "-t", "tmpfs", "-o", options, "tmpfs", point)
      return point
    case "overlay": {
      const upper = mountFresh(work, "ext4")
      for (const name of ["lower", "upper", "work"]) mkdirSync(`${upper}/${name}`)
      sh("mount", "-t", "overlay", "-o", `lowerdir=${upper}/lower,upperdir=${upper}/upper,workdir=${upper}/work`, "overlay", point)
      return point
    }
    default:
      return mountImage(makeImage(work, kind), point)
  }
}

/** A file with an empty filesystem in it. */
export function makeImage(work: Scratch, kind: "ext4" | "xfs", bytes = IMAGE_BYTES): string {
  const image = work.at(`${kind}-${crypto.randomUUID()}.img`)
  writeFileSync(image, "")
  truncateSync(image, bytes)
  // mkfs.xfs makes nothing of less than 300 MB unless it is told that nobody is to rely on it.
  sh(`mkfs.${kind}`, "-q", ...(kind === "xfs" && bytes < IMAGE_BYTES ? ["--unsupported"] : []), image)
  return image
}

export function mountImage(image: string, point: string): string {
  mkdirSync(point, { recursive: true })
  sh("mount", "-o", "loop", image, point)
  return point
}
