import { accessSync, constants, opendirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { whyOf } from "../../config/directories/directory.ts"
import { systemErrorCode } from "../../system-error.ts"
import { about, type Finding } from "../finding.ts"
import type { Target } from "./target.ts"

const { R_OK, W_OK, X_OK } = constants

/** The process can list and enter the directory and, when it is read-write, change it; else who can, and the fix. */
export function checkAccess({ name, path, writable }: Target): Finding {
  const { ok, error } = about("root", name)
  try {
    if (!statSync(path).isDirectory()) return error(`${path} is not a directory`, "name a directory")
    accessSync(path, R_OK | X_OK)
    opendirSync(path).closeSync()
  } catch (failure) {
    if (systemErrorCode(failure) === "EACCES" || systemErrorCode(failure) === "EPERM") return error(`${path} cannot be read: ${whose(path)}`, entry(path))
    return error(`${path} ${whyOf(failure)}`, "create it, mount it or name another directory; after a mount, restart the gateway")
  }
  if (!writable) return ok(`${path} can be read`)
  try {
    accessSync(path, W_OK)
    return ok(`${path} can be read and changed`)
  } catch (failure) {
    if (systemErrorCode(failure) === "EROFS") return error(`${path} is on a file system that is mounted read-only`, "mount it read-write, or configure it as read-only")
    return error(`${path} cannot be changed: ${whose(path)}`, `run serverfs as the owner, or hand the tree over: chown -R ${process.geteuid?.()} ${JSON.stringify(path)}; or configure it as read-only`)
  }
}

/** The directory on the way that keeps this process out: the last that it can still look at. */
function nearestVisible(path: string): string {
  try {
    statSync(path)
    return path
  } catch {
    return path === "/" ? path : nearestVisible(dirname(path))
  }
}

function whose(path: string): string {
  const visible = nearestVisible(path)
  const { uid, gid, mode } = statSync(visible)
  const octal = (mode & 0o7777).toString(8).padStart(4, "0")
  return `${visible} belongs to user ${uid}, group ${gid}, mode ${octal}, and this process is user ${process.geteuid?.()}, group ${process.getegid?.()}`
}

/** What lets this process in: the right to list the directory itself, to pass through one on the way. */
function entry(path: string): string {
  const visible = nearestVisible(path)
  const right = visible === path ? "rx" : "x"
  return `run serverfs as the owner, or give this user the right: setfacl -m u:${process.geteuid?.()}:${right} ${JSON.stringify(visible)}`
}
