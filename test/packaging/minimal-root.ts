/**
 * Where no container engine is at hand: the Dockerfile carried out by hand, or the single-file program (after `bun run
 * build`), in a root that holds nothing else, read-only, as uid 10001 without a capability; doctor and the acceptance suite
 * in it. Needs root, on Debian or its like. Not shown by it: what only an engine does, which is the published base image,
 * networks and seccomp.
 *
 *   bun test/packaging/minimal-root.ts image|binary [flags of the acceptance suite]
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bareRoot, buildImage } from "./image/build-image.ts"
import { host } from "./image/host.ts"
import { inOwnMounts } from "./image/own-mounts.ts"
import { seal } from "./image/sealed-root.ts"

const SUITE = join(import.meta.dir, "../../../shared/acceptance/run.mjs")
const DROPPED = ["setpriv", "--reuid=10001", "--regid=10001", "--clear-groups", "--bounding-set=-all"]
/** An image has the container layout, and the case of a gateway without any configuration needs a machine that has none. */
const OF_AN_IMAGE = ["--only", "^(?!CONFIG-25 )"]
/** Doctor's exit status for errors. */
const ERRORS = 2

async function accept(what: string, flags: readonly string[]): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), "serverfs-root-"))
  try {
    chmodSync(scratch, 0o755)
    const image = what === "image" ? buildImage(scratch) : bareRoot(scratch)
    const tree = join(scratch, "tree")
    const start = join(tree, "start")
    mkdirSync(start, { recursive: true })
    host("chown", "-R", "10001:10001", tree)
    using sealed = seal(image, scratch, { writable: { [tree]: tree }, readOnly: {} })
    const command = [sealed.enter, ...image.entrypoint]
    const env = { PATH: process.env["PATH"], TMPDIR: tree }
    const run = (words: readonly string[], more: Readonly<Record<string, string>>) => (
      Bun.spawn([...DROPPED, ...words], { cwd: start, env: { ...env, ...more }, stdio: ["ignore", "inherit", "inherit"] }).exited
    )
    const doctor = await run([...command, "doctor", "--dir", `here=${start}:rw`, "--port", "0"], { SERVERFS_STATE_DIR: join(tree, "state") })
    const suite = await run(["node", SUITE, ...flags], { ACCEPTANCE_DIR: start, ACCEPTANCE_CMD: JSON.stringify(command) })
    return doctor === ERRORS ? doctor : suite
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const [what = "", ...given] = process.argv.slice(2)
if (what !== "image" && what !== "binary") throw new Error("say image or binary")
const flags = what === "image" && given.length === 0 ? OF_AN_IMAGE : given
process.exit(await inOwnMounts(import.meta.path, () => accept(what, flags)))
