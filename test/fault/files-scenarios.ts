/** The paths through the mutations of the Files service. Moves between two filesystems need root, for the mount. */
import { chmodSync, chownSync, linkSync, lstatSync, lutimesSync, mkdirSync } from "node:fs"
import { type Planted, type Scratch, scratch } from "../helpers/scratch.ts"
import { setXattr } from "../helpers/xattrs.ts"
import type { FilesCall } from "./messages.ts"
import { sh } from "./mounts.ts"
import { isRoot, type Scenario } from "./scenario.ts"
import { TWIN } from "./serverfs-scenarios.ts"
import { namesIn } from "./tree.ts"

type Tree = Readonly<Record<string, Planted>>
type More = Partial<Pick<FilesCall, "dst" | "overwrite" | "deny"> & Pick<Scenario, "always" | "between" | "killed" | "refused">>

/** Seconds: what a copy has to keep, so far back that it cannot be the time of the run. */
const LONG_AGO = 1_000_000_000
const OTHERS = { "d/keep": "keep", keep: "keep" }
const FILE = { "d/f": "old\n" }
const SOURCE = { s: "source\n" }
const TREE = { "s/a": "a", "s/u/b": "b", "s/u/e": null, "s/l": { link: "../keep" } }
const LINK = { l: { link: "d/keep" } }
const OVER = { dst: "d/f", overwrite: true }

function scenario(name: string, tool: FilesCall["tool"], path: string, plant: () => Scratch, more: More = {}): Scenario {
  const { dst = "", overwrite = false, deny = [], always = [], between = null, refused = null, killed } = more
  const call: FilesCall = { service: "files", tool, path, dst, overwrite, deny, content: "new file\n" }
  return { name: `files: ${name}`, call, always, between, refused, plant, ...(killed === undefined ? {} : { killed }) }
}

const planted = (tree: Tree = {}) => () => scratch({ ...OTHERS, ...tree })

/** Whatever `s` is has times, a mode and an attribute that a copy keeps. */
function withSource(tree: Tree): () => Scratch {
  return () => {
    const dir = scratch({ ...OTHERS, ...tree })
    dress(dir)
    return dir
  }
}

function dress(dir: Scratch): void {
  const names = namesIn(dir.path).filter((name) => name === "s" || name.startsWith("s/"))
  for (const path of names.reverse().map((name) => dir.at(name))) {
    const stat = lstatSync(path)
    if (stat.isFile()) {
      setXattr(path, isRoot ? "trusted.note" : "user.note", "kept")
      chmodSync(path, 0o640)
    }
    lutimesSync(path, LONG_AGO, LONG_AGO)
  }
}

/** `d/f` with all that its successor has to take over. */
function withMetadata(tree: Tree = {}): () => Scratch {
  return () => {
    const dir = withSource({ ...FILE, ...SOURCE, ...tree })()
    setXattr(dir.at("d/f"), "user.note", "kept")
    chmodSync(dir.at("d/f"), 0o600)
    if (isRoot) chownSync(dir.at("d/f"), 65_534, 65_534)
    return dir
  }
}

function withTwin(): Scratch {
  const dir = withMetadata()()
  linkSync(dir.at("d/f"), dir.at("d", TWIN))
  return dir
}

/** `m` is another filesystem. */
function withMount(here: Tree, there: Tree = {}): () => Scratch {
  return () => {
    const dir = scratch({ ...OTHERS, ...here })
    mkdirSync(dir.at("m"))
    sh("mount", "-t", "tmpfs", "none", dir.at("m"))
    dir.plant(there)
    dress(dir)
    return { ...dir, [Symbol.dispose]: () => {
      sh("umount", "--lazy", dir.at("m"))
      dir[Symbol.dispose]()
    } }
  }
}

const NO_LINKS = ["linkat:error=EPERM"]
const NO_FLAGS = ["renameat2:error=EINVAL:when=1"]
const removing = { between: "removing" } as const

const ON_ONE_FILESYSTEM: readonly Scenario[] = [
  scenario("create_file", "create_file", "d/f", planted()),
  // The third openat is the one for O_TMPFILE: root, parent, O_TMPFILE.
  scenario("create_file without O_TMPFILE", "create_file", "d/f", planted(), { always: ["openat:error=EOPNOTSUPP:when=3"] }),
  scenario("create_file without hard links", "create_file", "d/f", planted(), { always: NO_LINKS }),
  scenario("create_file where a dangling link leads", "create_file", "l/f", planted({ l: { link: "d/./../d" }, "d/f": { link: "g" } })),
  scenario("create_file over a file", "create_file", "d/f", withMetadata(), { overwrite: true }),
  scenario("update_file", "update_file", "d/f", withMetadata()),
  // The fourth: root, parent, file, O_TMPFILE.
  scenario("update_file without O_TMPFILE", "update_file", "d/f", withMetadata(), { always: ["openat:error=EOPNOTSUPP:when=4"] }),
  scenario("update_file without hard links", "update_file", "d/f", withMetadata(), { always: NO_LINKS }),
  scenario("update_file with a crash twin", "update_file", "d/f", withTwin),
  scenario("update_file through links", "update_file", "l/f", planted({ l: { link: "d" }, "d/f": { link: "../keep" } })),
  scenario("delete_file", "delete_file", "d/f", planted(FILE)),
  scenario("delete_file of a link", "delete_file", "l", planted(LINK)),
  scenario("delete_file of a tree", "delete_tree", "s", planted({ ...TREE, "s/p": { fifo: true }, [`s/${TWIN}`]: "left" }), removing),
  scenario("delete_file of a tree with a denied name", "delete_tree", "s", planted({ ...TREE, "s/u/e/secret": "s" }), { deny: ["secret"], refused: "DENIED_PATH" }),
  scenario("move", "move", "s", withSource(SOURCE), { dst: "d/f" }),
  scenario("move of a directory", "move", "s", withSource(TREE), { dst: "d/t" }),
  scenario("move of a file without RENAME_NOREPLACE", "move", "s", withSource(SOURCE), { dst: "d/f", always: NO_FLAGS, killed: "two names" }),
  scenario("move of a directory without RENAME_NOREPLACE", "move", "s", withSource(TREE), { dst: "d/t", always: NO_FLAGS, killed: "an empty directory" }),
  scenario("move over a file like it", "move", "d/keep", planted(FILE), OVER),
  scenario("move over a file of other metadata", "move", "s", withMetadata(), { ...OVER, ...removing }),
  scenario("move of a link over a file", "move", "l", planted({ ...FILE, ...LINK }), OVER),
  scenario("move of a directory over an empty one", "move", "s", withSource({ ...TREE, "d/t": null }), { dst: "d/t", overwrite: true }),
  scenario("move of a directory over a link", "move", "s", withSource({ ...TREE, "d/t": { link: "keep" } }), { dst: "d/t", overwrite: true, killed: "the link at src" }),
  scenario("copy", "copy", "s", withSource(SOURCE), { dst: "d/f" }),
  scenario("copy without hard links", "copy", "s", withSource(SOURCE), { dst: "d/f", always: NO_LINKS }),
  scenario("copy without copy_file_range", "copy", "s", withSource(SOURCE), { dst: "d/f", always: ["copy_file_range:error=ENOSYS"] }),
  scenario("copy over a file", "copy", "s", withMetadata(), OVER),
  scenario("copy over a link", "copy", "s", withSource({ ...SOURCE, "d/f": { link: "keep" } }), OVER),
  scenario("copy of a tree", "copy", "s", withSource(TREE), { dst: "d/t" }),
  scenario("copy of a tree over an empty directory", "copy", "s", withSource({ "s/a": "a", "d/t": null }), { dst: "d/t", overwrite: true }),
  scenario("copy of a tree over a link", "copy", "s", withSource({ "s/a": "a", "d/t": { link: "keep" } }), { dst: "d/t", overwrite: true }),
]

const BETWEEN_TWO: readonly Scenario[] = [
  scenario("move between filesystems", "move", "s", withMount(SOURCE), { dst: "m/f", ...removing }),
  scenario("move between filesystems over a file", "move", "s", withMount(SOURCE, { "m/f": "old\n" }), { dst: "m/f", overwrite: true, ...removing }),
  scenario("move of a link between filesystems", "move", "s", withMount({ s: { link: "keep" } }), { dst: "m/l", ...removing }),
  scenario("move of a link between filesystems over a file", "move", "s", withMount({ s: { link: "keep" } }, { "m/f": "old\n" }), { dst: "m/f", overwrite: true, ...removing }),
  scenario("move of a tree between filesystems", "move", "s", withMount(TREE), { dst: "m/t", ...removing }),
  scenario("move of a tree between filesystems over an empty directory", "move", "s", withMount({ "s/a": "a" }, { "m/t": null }), { dst: "m/t", overwrite: true, ...removing }),
]

export const FILES: readonly Scenario[] = isRoot ? [...ON_ONE_FILESYSTEM, ...BETWEEN_TWO] : ON_ONE_FILESYSTEM
