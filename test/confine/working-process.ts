/** Confines itself as the product does, then does what the product does, and prints how each went. Ends when stdin does. */
import { Database } from "bun:sqlite"
import * as fs from "node:fs"
import { join } from "node:path"
import { confine, type Launch } from "../../src/confine/confine.ts"
import { AT, O } from "../../src/fs/flags.ts"
import { linkat, openat, write } from "../../src/fs/libc.unsafe.ts"

declare const self: Worker

interface Told extends Launch {
  readonly ripgrep: string
  /** Entries of the Files root to move into its `dir`. */
  readonly moves: readonly string[]
}

function createWithoutName(dir: string): void {
  const parent = fs.openSync(dir, O.RDONLY | O.DIRECTORY)
  const file = openat(parent, ".", O.TMPFILE | O.WRONLY, 0o666)
  if (file < 0 || write(file, Buffer.from("new")) !== 3) throw new Error(`O_TMPFILE: ${file}`)
  const linked = linkat(AT.FDCWD, `/proc/self/fd/${file}`, parent, "created", AT.SYMLINK_FOLLOW)
  if (linked < 0) throw new Error(`linkat: ${linked}`)
  fs.fsyncSync(parent)
}

function replace(dir: string): void {
  fs.writeFileSync(join(dir, "temp"), "new", { flag: "wx" })
  fs.renameSync(join(dir, "temp"), join(dir, "f0"))
  fs.linkSync(join(dir, "f1"), join(dir, "second-name"))
  fs.unlinkSync(join(dir, "f1"))
  fs.mkdirSync(join(dir, "made"))
  fs.rmdirSync(join(dir, "made"))
}

function useDatabase(dir: string): void {
  const database = new Database(join(dir, "state.db"))
  database.run("PRAGMA journal_mode = WAL")
  database.run("CREATE TABLE t (x)")
  database.run("INSERT INTO t VALUES (1)")
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

function rotate(path: string): void {
  fs.appendFileSync(path, "line\n")
  fs.renameSync(path, `${path}.1`)
  fs.appendFileSync(path, "line\n")
  fs.renameSync(path, `${path}.1`)
}

/** In a thread: ripgrep in a directory that it knows by descriptor alone. */
function searchIn(ripgrep: string, dir: string): string {
  const fd = fs.openSync(dir, O.PATH | O.DIRECTORY)
  const { stdout, stderr } = Bun.spawnSync([ripgrep, "--count-matches", "needle", "f0"], { cwd: `/proc/self/fd/${fd}` })
  fs.readFileSync("/proc/thread-self/stat")
  return stdout.toString().trim() + stderr.toString()
}

function throughWorker(ripgrep: string, dir: string): Promise<void> {
  const worker = new Worker(import.meta.url)
  worker.postMessage({ ripgrep, dir })
  return new Promise((done, failed) => {
    worker.onmessage = ({ data }) => (data === "f0:1" || data === "1" ? done() : failed(new Error(data)))
    worker.onerror = (event) => failed(new Error(event.message))
  })
}

async function main(): Promise<void> {
  const { launch } = await confine<Told>(() => JSON.parse(process.argv[2] ?? ""))
  const { config, ripgrep, moves } = launch
  const [readOnly, writable] = config.workdirs.map(({ root }) => root)
  const files = config.files?.root
  if (!readOnly || !writable || !files || !config.auditFile) throw new Error("no roots")
  const audit = config.auditFile.path

  const jobs: Record<string, () => unknown> = {
    "read and list a read-only workdir": () => [fs.readFileSync(join(readOnly, "f0")), fs.readdirSync(readOnly)],
    "create a file that has no name until it is whole": () => createWithoutName(writable),
    "replace, link, unlink and make directories in a writable workdir": () => replace(writable),
    "make symlinks under the Files root": () => fs.symlinkSync("f0", join(files, "dir", "link")),
    "end a file in a hole under the Files root": () => fs.ftruncateSync(fs.openSync(join(files, "sparse"), "wx"), 4096),
    "use SQLite in WAL mode in the state directory": () => useDatabase(config.stateDir),
    "append to the audit file and rotate it": () => rotate(audit),
    "search from a thread with ripgrep": () => throughWorker(ripgrep, readOnly),
    "look at its own process": () => [fs.readFileSync("/proc/self/maps"), fs.readdirSync("/proc/self/fd")],
    ...Object.fromEntries(moves.map((name) => [`move ${name}`, () => fs.renameSync(join(files, name), join(files, "dir", name))])),
  }
  const results: Record<string, string> = {}
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job()
      results[name] = "done"
    } catch (error) {
      results[name] = String(error)
    }
  }
  const server = Bun.serve({ hostname: config.host, port: config.port, fetch: () => new Response("inside") })
  console.log(JSON.stringify({ results, port: server.port }))
  await Bun.stdin.text()
  process.exit(0)
}

if (Bun.isMainThread) await main()
else self.onmessage = ({ data }: MessageEvent) => postMessage(searchIn(data.ripgrep, data.dir))
