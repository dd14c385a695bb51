/** What slow-mounts.test.ts runs inside a mount namespace: `bun mounts-script.ts ROOT WHAT`. */
import { chmodSync, lstatSync, readFileSync, readdirSync, readlinkSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { filesIn, outcome } from "./driver.ts"

const [root = "", what = ""] = process.argv.slice(2)
const at = (path: string): string => `${root}/${path}`
const text = (path: string): string => readFileSync(at(path), "utf8")

const SCENES: Readonly<Record<string, () => Promise<object>>> = {
  delete: async () => {
    const code = await outcome(filesIn(root).remove("d", true))
    return { code, kept: text("kept/precious") }
  },
  copy: async () => {
    const code = await outcome(filesIn(root).copy("d", "e"))
    return { code, names: readdirSync(root).sort() }
  },
  list: async () => {
    writeFileSync(at("tmp/inside"), "")
    const { entries } = await filesIn(root).list(".", 9)
    const { matches } = await filesIn(root).search(".", "inside")
    return { listed: entries.map(({ path }) => path.slice(root.length + 1)), found: matches }
  },
  move: async () => {
    const files = filesIn(root)
    chmodSync(at("d/sub/b"), 0o640)
    utimesSync(at("d/sub"), 1_600_000_000, 1_600_000_000)
    const moved = [await outcome(files.move("d/a", "tmp/a")), await outcome(files.move("d/sub", "tmp/sub")), await outcome(files.move("d/l", "tmp/l"))]
    const exists = await outcome(files.move("kept/precious", "tmp/a"))
    chmodSync(at("tmp/a"), 0o600)
    const file = text("tmp/a")
    await files.move("kept/precious", "tmp/a", true)
    const over = text("tmp/a") === "x" && (statSync(at("tmp/a")).mode & 0o777) === 0o600 ? "old mode kept" : "lost"
    const { mode } = statSync(at("tmp/sub/b"))
    return {
      moved: moved.every((each) => each === "ok") ? "ok" : moved, left: readdirSync(at("d")), file, tree: text("tmp/sub/b"), mode: mode & 0o777, mtime: lstatSync(at("tmp/sub")).mtimeMs / 1000,
      link: readlinkSync(at("tmp/l")), exists, over, temps: [...readdirSync(root), ...readdirSync(at("tmp"))].filter((name) => name.startsWith(".serverfs")),
    }
  },
  changed: async () => {
    let wants = 0
    // The second time the lock is asked for, the copy is there and its source is about to go.
    const files = filesIn(root, { watch: ({ kind }) => { if (kind === "want" && ++wants === 3) writeFileSync(at("d/sub/b"), "newer") } })
    const code = await outcome(files.move("d/sub", "tmp/sub"))
    return { code, copied: text("tmp/sub/b"), left: text("d/sub/b") }
  },
}

console.log(JSON.stringify(await SCENES[what]?.()))
