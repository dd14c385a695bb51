/**
 * What a power cut leaves: bun test/fault/crash-image.ts (as root).
 *
 * On loop-mounted ext4 and xfs a process edits and creates files and tells of each change that was acknowledged; the
 * filesystem is shut down under it at a random moment without flushing its log (FS_IOC_SHUTDOWN), mounted anew, and
 * looked at. Every acknowledged change must be there, whole; the control writes without fsync, and loses some.
 */
import { dlopen } from "bun:ffi"
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isReserved } from "../../src/workdir/reserved.ts"
import { bodyOf, created, versionOf } from "../race/versions.ts"
import { scratch } from "../helpers/scratch.ts"
import { inPrivateNamespace, makeImage, mountImage, sh } from "./mounts.ts"

inPrivateNamespace(import.meta.path)

const ROUNDS = 15
const CONTROL = ".serverfs-tmp-control"
const WORKER = join(import.meta.dir, "../race/edit-and-create-process.ts")
/** linux/fs.h: FS_IOC_SHUTDOWN, _IOR('X', 125, __u32), and its flag that leaves the log as it is on disk. */
const FS_IOC_SHUTDOWN = 0x8004587d
const NO_LOG_FLUSH = 2
const { symbols: libc } = dlopen("libc.so.6", { ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" } })

function cutPower(root: string): void {
  const fd = openSync(root, "r")
  if (libc.ioctl(fd, FS_IOC_SHUTDOWN, new Uint32Array([NO_LOG_FLUSH])) < 0) throw new Error(`${root}: this filesystem cannot be shut down`)
  closeSync(fd)
}

/** The last change that was acknowledged before the cut, -1 when none was. */
async function changeUntilCut(root: string, what: "edit" | "create"): Promise<number> {
  const child = Bun.spawn([process.execPath, WORKER, `${root}/w`, what, "0"], { stdout: "pipe", stderr: "ignore" })
  let text = ""
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (text === "") setTimeout(() => {
      // The control: what is written without fsync just before.
      writeFileSync(`${root}/w/${CONTROL}`, bodyOf(0))
      cutPower(root)
    }, 300 + Math.random() * 900)
    text += chunk
  }
  await child.exited
  return Number(text.split("\n").slice(1, -1).at(-1) ?? -1)
}

/** What is wrong with what is left, or null. */
function verdict(root: string, what: "edit" | "create", acknowledged: number): string | null {
  const names = readdirSync(`${root}/w`).filter((name) => !isReserved(name))
  if (what === "edit") {
    const content = readFileSync(`${root}/w/f`, "utf8")
    const version = Number(/^version (\d+)\n/.exec(content)?.[1])
    if (content !== versionOf(version)) return "the file is not one version whole"
    return version > acknowledged ? null : `version ${version} after ${acknowledged} was acknowledged`
  }
  const made = names.filter((name) => name !== "f")
  for (let n = 0; n <= acknowledged; n++) if (!made.includes(created(n))) return `${created(n)} was acknowledged and is not there`
  return made.every((name) => readFileSync(`${root}/w/${name}`, "utf8") === bodyOf(Number(name.slice(created(0).length - 1)))) ? null : "a file is not whole"
}

using work = scratch()
const wrong: string[] = []

for (const kind of ["ext4", "xfs"] as const) {
  for (const what of ["edit", "create"] as const) {
    const image = makeImage(work, kind)
    const point = work.at(`mnt-${kind}-${what}`)
    let changes = 0, lostByControl = 0
    for (let round = 0; round < ROUNDS; round++) {
      mountImage(image, point)
      sh("rm", "-rf", `${point}/w`)
      mkdirSync(`${point}/w`)
      writeFileSync(`${point}/w/f`, versionOf(0))
      sh("sync", "-f", point)
      const acknowledged = await changeUntilCut(point, what)
      sh("umount", point)
      mountImage(image, point)
      const bad = verdict(point, what, acknowledged)
      if (bad !== null) wrong.push(`${kind}, ${what}, round ${round}: ${bad}`)
      if (controlIsLost(point)) lostByControl++
      changes += acknowledged + 1
      sh("umount", point)
    }
    console.log(`${kind}, ${what}: ${ROUNDS} cuts, ${changes} acknowledged changes; the write without fsync was lost ${lostByControl} times`)
    if (changes === 0 || lostByControl === 0) wrong.push(`${kind}, ${what}: the test did not test`)
  }
}

function controlIsLost(root: string): boolean {
  try {
    return readFileSync(`${root}/w/${CONTROL}`, "utf8") !== bodyOf(0)
  } catch {
    return true
  }
}

for (const each of wrong) console.error(each)
console.log(wrong.length === 0 ? "every acknowledged change was there, whole" : `${wrong.length} wrong`)
process.exit(wrong.length === 0 ? 0 : 1)
