/**
 * Mutations on other filesystems than the one that the tests happen to run on: bun test/fault/filesystems.ts (as root).
 *
 * A thousand times create, edit, edit, delete with the revisions that each returned, on ext4, xfs, tmpfs and overlayfs;
 * a full disk, a read-only one, a file that is a mount point, append-only and immutable files and directories. Wherever
 * something is refused: its code, the original untouched, no temporary name left.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { ToolError } from "../../src/errors.ts"
import { edit, mutating } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"
import { inPrivateNamespace, mountFresh, sh } from "./mounts.ts"

inPrivateNamespace(import.meta.path)

const ROUNDS = 1000
const MIB = 1 << 20
const faults: string[] = []

function check(what: string, got: unknown, wanted: unknown): void {
  const right = JSON.stringify(got) === JSON.stringify(wanted)
  console.log(`${right ? "ok" : "WRONG"}  ${what}${right ? "" : `: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`}`)
  if (!right) faults.push(what)
}

/** "done", or the code, and for I/O errors the system's reason. */
async function answer(call: Promise<unknown>): Promise<string> {
  return call.then(() => "done", (error) => {
    if (!(error instanceof ToolError)) throw error
    return error.code === "MUTATION_IO_ERROR" ? `${error.code}: ${error.about.detail}` : error.code
  })
}

async function chain(root: string): Promise<string> {
  const at = mutating(root)
  for (let round = 0; round < ROUNDS; round++) {
    const path = `f${round % 7}`
    const { revision } = await at.create(path, `one ${round}`)
    const once = await at.edit(path, [edit("one", "two")], revision)
    const twice = await at.edit(path, [edit("two", "three")], once.revision)
    if (twice.revision !== (await at.revision(path))) return `round ${round}: the next stat shows another revision`
    await at.deleteFile(path, twice.revision)
  }
  return readdirSync(root).filter((name) => name !== "lost+found").join() || "clean"
}

using work = scratch()

for (const kind of ["ext4", "xfs", "tmpfs", "overlay"] as const) {
  const root = mountFresh(work, kind)
  const start = performance.now()
  check(`${kind}: ${ROUNDS} × create, edit, edit, delete with the returned revisions`, await chain(root).catch(String), "clean")
  console.log(`    ${Math.round(performance.now() - start)} ms`)
}

{
  const root = mountFresh(work, "tmpfs", "size=1m")
  const at = mutating(root, { maxWriteBytes: 16 * MIB })
  await at.create("f", "x".repeat(400_000))
  const before = await at.revision("f")
  const full = "MUTATION_IO_ERROR: no space left on device"
  check("full disk: create", await answer(at.create("g", "y".repeat(2 * MIB))), full)
  check("full disk: edit", await answer(at.edit("f", [edit("x".repeat(400_000), "z".repeat(2 * MIB))])), full)
  check("full disk: what is left", [readdirSync(root), await at.revision("f")], [["f"], before])
  writeFileSync(`${root}/filler`, "x".repeat(1000))
  check("full disk: delete, then edit", [await answer(at.deleteFile("filler")), await answer(at.edit("f", [edit("x".repeat(400_000), "z".repeat(500_000))]))], ["done", "done"])
}

{
  const root = mountFresh(work, "tmpfs")
  const at = mutating(root)
  await at.create("f", "one")
  await at.createDirectory("d")
  sh("mount", "-o", "remount,ro", root)
  const readOnly = "MUTATION_IO_ERROR: read-only file system"
  const calls = [at.create("g"), at.edit("f", [edit("one", "two")]), at.deleteFile("f"), at.createDirectory("e"), at.deleteDirectory("d")]
  check("read-only filesystem: all five", await Promise.all(calls.map(answer)), calls.map(() => readOnly))
  check("read-only filesystem: found last", await answer(at.edit("f", [edit("none", "two")])), "EDIT_CONFLICT")
}

{
  const root = mountFresh(work, "ext4")
  const at = mutating(root)
  for (const name of ["source", "target"]) writeFileSync(`${root}/${name}`, "one")
  sh("mount", "--bind", `${root}/source`, `${root}/target`)
  const busy = "MUTATION_IO_ERROR: resource busy or locked"
  check("a file that is a mount point", [await answer(at.edit("target", [edit("one", "two")])), await answer(at.deleteFile("target"))], [busy, busy])
  check("a file that is a mount point: what is left", [readdirSync(root).sort(), readFileSync(`${root}/target`, "utf8")], [["lost+found", "source", "target"], "one"])
}

{
  const root = mountFresh(work, "ext4")
  const at = mutating(root)
  for (const dir of ["append", "fixed", "plain"]) await at.createDirectory(dir)
  for (const path of ["append/f", "fixed/f", "plain/append", "plain/fixed"]) await at.create(path, "one")
  for (const [flag, path] of [["+a", "append"], ["+i", "fixed"], ["+a", "plain/append"], ["+i", "plain/fixed"]] as const) sh("chattr", flag, `${root}/${path}`)
  const editing = (path: string) => answer(at.edit(path, [edit("one", "two")]))
  for (const path of ["append/f", "fixed/f", "plain/append", "plain/fixed"]) {
    check(`append-only and immutable: edit and delete ${path}`, [await editing(path), await answer(at.deleteFile(path))], ["ACCESS_DENIED", "ACCESS_DENIED"])
  }
  check("append-only directory: create", await answer(at.create("append/g")), "done")
  check("immutable directory: create", await answer(at.create("fixed/g")), "ACCESS_DENIED")
  check("append-only and immutable: what is left", ["append", "fixed", "plain"].map((dir) => readdirSync(`${root}/${dir}`).sort()), [["f", "g"], ["f"], ["append", "fixed"]])
}

console.log(faults.length === 0 ? "all as it should be" : `${faults.length} wrong`)
process.exit(faults.length === 0 ? 0 : 1)
