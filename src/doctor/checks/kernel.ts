import { existsSync } from "node:fs"
import { release } from "node:os"
import { kernelHere } from "../../confine/kernel.ts"
import { SOUND_ABI, TCP } from "../../confine/rights.ts"
import { hasOpenat2 } from "../../fs/capabilities.ts"
import { about, type Finding } from "../finding.ts"

const UPGRADE = "run Linux 6.7 or newer; in a container, a runtime whose seccomp profile lets Landlock through"

/** What the running kernel offers of what is used when it is there. */
export function checkKernel(): Finding[] {
  return [procFinding(), openat2Finding(), landlockFinding()]
}

function procFinding(): Finding {
  const { ok, error } = about("kernel", "/proc")
  if (existsSync("/proc/self/fd")) return ok("is mounted")
  return error("is not mounted, and files are created and searches started through it", "mount -t proc proc /proc")
}

function openat2Finding(): Finding {
  const { ok, warning } = about("kernel", "openat2")
  if (hasOpenat2()) return ok(`Linux ${release()} resolves a path in one call`)
  return warning("is missing: every path is walked name by name, which is as safe but slower", "run Linux 5.6 or newer, or allow openat2 in the seccomp profile")
}

function landlockFinding(): Finding {
  const { ok, warning } = about("kernel", "Landlock")
  const { abi, reason } = kernelHere()
  if (reason !== null) return warning(reason, UPGRADE)
  if (abi < SOUND_ABI) return warning(`has ABI ${abi}, which lets files outside be truncated`, UPGRADE)
  return abi < TCP.since ? warning(`has ABI ${abi}, which confines the filesystem but not TCP`, UPGRADE) : ok(`has ABI ${abi}`)
}
