import { describe, expect, test } from "bun:test"
import { chmodSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { rgPath } from "@vscode/ripgrep"
import { USERS } from "./run.ts"
import { makeTree } from "./tree.ts"

/** Something of every type that a directory may hold, to be moved. */
function plantTypes(dir: string): string[] {
  symlinkSync("nowhere", join(dir, "a-symlink"))
  Bun.spawnSync(["mkfifo", "-m", "666", join(dir, "a-fifo")])
  Bun.listen({ unix: join(dir, "a-socket"), socket: { data: () => {} } }).unref()
  chmodSync(join(dir, "a-socket"), 0o666)
  return ["f0", "empty", "a-symlink", "a-fifo", "a-socket"]
}

describe.each(Object.entries(USERS))("what is confined, as %s,", (_user, words) => {
  test("still does all that the product does, and serves its port", async () => {
    using tree = makeTree()
    const moves = plantTypes(tree.files)
    const told = JSON.stringify({ config: tree.config("required"), ripgrep: rgPath, connectsOut: false, moves })
    const child = Bun.spawn([...words, process.execPath, join(import.meta.dir, "working-process.ts"), told], {
      stdin: "pipe", stdout: "pipe", stderr: "inherit",
    })
    const reader = child.stdout.getReader()
    const { value } = await reader.read()
    const { results, port } = JSON.parse(new TextDecoder().decode(value))
    expect(Object.entries(results).filter(([, outcome]) => outcome !== "done")).toEqual([])
    expect(Object.keys(results)).toHaveLength(9 + moves.length)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("inside")
    child.stdin.end()
    expect(await child.exited).toBe(0)
  })
})
