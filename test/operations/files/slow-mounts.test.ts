/** Trees with other filesystems in them: needs the right to mount, in a namespace of its own (unshare(1)). */
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { scratch } from "../../helpers/scratch.ts"

const SCRIPT = join(import.meta.dir, "mounts-script.ts")

/** Runs the script where `root/tmp` is a tmpfs and `root/bind` a bind mount of `root/kept`; what it prints is a JSON object. */
async function mounted(dir: string, what: string): Promise<Record<string, unknown>> {
  const setUp = [
    `mount -t tmpfs none '${dir}/root/tmp'`,
    `mount --bind '${dir}/root/kept' '${dir}/root/d/bind'`,
    `exec '${process.execPath}' '${SCRIPT}' '${dir}/root' ${what}`,
  ].join(" && ")
  const child = Bun.spawn(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", setUp], { stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const TREE = { "root/tmp": null, "root/kept/precious": "x", "root/d/a": "a", "root/d/sub/b": "b", "root/d/l": { link: "sub/b" }, "root/d/bind": null }

describe("another filesystem inside the root", () => {
  test("recursive delete does not enter it, a bind mount of the same one included", async () => {
    using dir = scratch(TREE)
    expect(await mounted(dir.path, "delete")).toEqual({ code: "MUTATION_IO_ERROR", kept: "x" })
  })

  test("copy of a tree that holds one is refused, and nothing is made", async () => {
    using dir = scratch(TREE)
    expect(await mounted(dir.path, "copy")).toEqual({ code: "MUTATION_IO_ERROR", names: ["d", "kept", "tmp"] })
  })

  test("list_dir and search show where it is and do not enter it", async () => {
    using dir = scratch(TREE)
    expect(await mounted(dir.path, "list")).toEqual({ listed: ["d", "d/a", "d/bind", "d/l", "d/sub", "d/sub/b", "kept", "kept/precious", "tmp"], found: [] })
  })

  test("move to it is copy, then delete: a file, a tree and a link, over what is there as well", async () => {
    using dir = scratch(TREE)
    expect(await mounted(dir.path, "move")).toEqual({
      moved: "ok", left: ["bind"], file: "a", tree: "b", mode: 0o640, mtime: 1_600_000_000, link: "sub/b", exists: "PATH_ALREADY_EXISTS", over: "old mode kept", temps: [],
    })
  })

  test("move of a tree leaves what changed after it was copied, and says so", async () => {
    using dir = scratch(TREE)
    expect(await mounted(dir.path, "changed")).toEqual({ code: "FILE_CHANGED_DURING_READ", copied: "b", left: "newer" })
  })
})
