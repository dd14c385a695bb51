/** The product as an ordinary user where nothing can be written but its state directory. For root: it makes such a place. */
import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { startProduct } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"
import { asking } from "./calls.ts"

const NOBODY = 65_534
const MAIN = join(import.meta.dir, "../../src/main.ts")

/**
 * In a mount namespace of its own: every mount read-only, the state directory alone a file system that can be written.
 * Ends with 9 when the user can write anywhere else.
 */
const SCRIPT = `
state=$1; shift
mount --make-rprivate /
cut -d' ' -f5 /proc/self/mountinfo | sort -u | while read -r point; do mount -o remount,bind,ro "$point" 2>/dev/null; done
mount -t tmpfs -o uid=${NOBODY},gid=${NOBODY},mode=700,size=8m state "$state" || exit 8
as="setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --inh-caps=-all"
for place in / /tmp /var/tmp /dev/shm /run /var/run /proc/self "$PWD" "$HOME"; do
  if $as sh -c ': > "$1/serverfs-probe"' sh "$place" 2>/dev/null; then echo "$place can be written" >&2; exit 9; fi
done
exec $as "$@"
`

describe("an ordinary user with a read-only root file system", () => {
  test("serves both services, keeps its state, and ends without a complaint", async () => {
    using home = scratch({ "docs/a.txt": "hello\n", "files/b.txt": "world\n", state: null })
    chmodSync(home.path, 0o755)
    mkdirSync(home.at("cwd"))
    await using product = await startProduct({
      command: ["unshare", "--mount", "sh", "-c", SCRIPT, "sh", home.at("state"), process.execPath, "--no-env-file", MAIN],
      cwd: home.at("cwd"),
      stateDir: home.at("state"),
      workdirs: { docs: home.at("docs") },
      files: home.at("files"),
      env: { FILES_MCP_READ_ONLY: "true", SERVERFS_CONFINE: "required" },
    })
    const status = readFileSync(`/proc/${product.pid}/status`, "utf8")
    expect(status).toMatch(new RegExp(`^Uid:\\t${NOBODY}\\t${NOBODY}\\t${NOBODY}\\t${NOBODY}$`, "m"))
    expect(status).toMatch(/^CapEff:\t0+$/m)
    // Of several mounts at a point, the last one hides the others.
    const mounts = new Map(readFileSync(`/proc/${product.pid}/mountinfo`, "utf8").trim().split("\n").map((line) => {
      const [, , , , point = "", options = ""] = line.split(" ")
      return [point, options.split(",")]
    }))
    expect([...mounts].filter(([, options]) => !options.includes("ro")).map(([point]) => point)).toEqual([home.at("state")])

    const ask = asking(product), files = asking(product, "/files-mcp")
    expect((await ask("read_text_file", { workdir: "docs", path: "a.txt" })).value["content"]).toBe("hello\n")
    expect((await ask("search_text", { workdir: "docs", query: "hello" })).value["returned"]).toBe(1)
    expect((await ask("find_files", { workdir: "docs", pattern: "*.txt" })).value["returned"]).toBe(1)
    expect((await ask("create_text_file", { workdir: "docs", path: "n", content: "x" })).code).toBe("WORKDIR_READ_ONLY")
    expect((await files("read_file", { path: "b.txt" })).value["content"]).toBe("world\n")
    expect((await files("search", { path: ".", pattern: "*" })).value["matches"]).toHaveLength(1)
    expect(await product.stop()).toBe(0)
    expect(product.log.map(({ event }) => event).filter((event) => event !== "tool_call")).toEqual(["startup", "shutdown"])
    expect(product.written.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"))).toEqual([])
  })
})
