/** Ways out, each with what the kernel must answer. Every one of them works when the process is not confined. */
import { rgPath } from "@vscode/ripgrep"
import type { Attempt } from "./attempting-process.ts"
import type { Tools } from "./tools.ts"
import type { Tree } from "./tree.ts"

export interface Place extends Pick<Tree, "base" | "outside" | "readOnly" | "writable"> {
  readonly tools: Tools
  /** A TCP port that somebody listens on. */
  readonly port: number
  /** One that nobody does. */
  readonly freePort: number
  /** A process of the same user. */
  readonly pid: number
}

export interface Escape {
  readonly name: string
  readonly attempt: (place: Place) => Attempt
  readonly refusal: RegExp
  /** Landlock's ABI that brought the refusal; older kernels let it through. */
  readonly since: number
}

const DENIED = /^EACCES$/
/** Between directories of different rules a link or a rename looks like one to another file system. */
const BETWEEN = /^EXDEV$/
const DENIED_TO_PROGRAM = /: Permission denied/
const BETWEEN_TO_PROGRAM = /: Invalid cross-device link/

function escape(name: string, refusal: RegExp, attempt: (place: Place) => Attempt, since = 1): Escape {
  return { name, refusal, attempt, since }
}

const READING: readonly Escape[] = [
  escape("read a file outside", DENIED, ({ outside }) => ["read", `${outside}/f0`]),
  escape("read /etc/passwd", DENIED, () => ["read", "/etc/passwd"]),
  escape("read of another process", DENIED, ({ pid }) => ["read", `/proc/${pid}/cmdline`]),
  escape("read through a symlink in a workdir", DENIED, ({ writable }) => ["read", `${writable}/escape`]),
  escape("read through ..", DENIED, ({ writable }) => ["read", `${writable}/../outside/f0`]),
  escape("read through /proc/self/root", DENIED, ({ outside }) => ["read", `/proc/self/root${outside}/f0`]),
  escape("list a directory outside", DENIED, ({ outside }) => ["list", outside]),
  escape("list the directory around the roots", DENIED, ({ base }) => ["list", base]),
  escape("list /", DENIED, () => ["list", "/"]),
  escape("run cat", DENIED, () => ["run", "/bin/cat", "/dev/null"]),
  escape("cat a file outside", DENIED_TO_PROGRAM, ({ tools, outside }) => ["run", ...tools.cat, `${outside}/f0`]),
  escape("cat a symlink in a workdir", DENIED_TO_PROGRAM, ({ tools, writable }) => ["run", ...tools.cat, `${writable}/escape`]),
  escape("rg in a file outside", DENIED_TO_PROGRAM, ({ outside }) => ["run", rgPath, "needle", `${outside}/f0`]),
  escape("rg --files outside", DENIED_TO_PROGRAM, ({ outside }) => ["run", rgPath, "--files", outside]),
  escape("rg through a symlink in a workdir", DENIED_TO_PROGRAM, ({ writable }) => ["run", rgPath, "needle", `${writable}/escape`]),
]

/** The same in a directory that is not served and in one that may only be read. */
function changing(where: string, dirOf: (place: Place) => string, mark: number): readonly Escape[] {
  const own = (place: Place) => `${place.writable}/f${mark}`
  const spare = (place: Place) => `${place.writable}/f${mark + 1}`
  const third = (place: Place) => `${place.writable}/f${mark + 2}`
  return [
    escape(`create a file ${where}`, DENIED, (place) => ["create", `${dirOf(place)}/new`]),
    escape(`append to a file ${where}`, DENIED, (place) => ["append", `${dirOf(place)}/f1`]),
    escape(`truncate a file ${where}`, DENIED, (place) => ["truncate", `${dirOf(place)}/f2`], 3),
    escape(`unlink a file ${where}`, DENIED, (place) => ["unlink", `${dirOf(place)}/f3`]),
    escape(`rename a file ${where}`, DENIED, (place) => ["rename", `${dirOf(place)}/f4`, `${dirOf(place)}/renamed`]),
    escape(`make a directory ${where}`, DENIED, (place) => ["mkdir", `${dirOf(place)}/newdir`]),
    escape(`remove a directory ${where}`, DENIED, (place) => ["rmdir", `${dirOf(place)}/empty`]),
    escape(`make a symlink ${where}`, DENIED, (place) => ["symlink", `${dirOf(place)}/newlink`]),
    escape(`link into a writable workdir a file ${where}`, BETWEEN, (place) => ["link", `${dirOf(place)}/f5`, `${place.writable}/linked${mark}`]),
    escape(`link a file of a writable workdir to a name ${where}`, DENIED, (place) => ["link", own(place), `${dirOf(place)}/linked`]),
    escape(`move into a writable workdir a file ${where}`, DENIED, (place) => ["rename", `${dirOf(place)}/f6`, `${place.writable}/moved${mark}`]),
    escape(`move a file of a writable workdir to a name ${where}`, DENIED, (place) => ["rename", spare(place), `${dirOf(place)}/moved`]),
    escape(`mv over a file ${where}`, DENIED_TO_PROGRAM, (place) => ["run", ...place.tools.mv, third(place), `${dirOf(place)}/f7`]),
    escape(`ln a file ${where}`, BETWEEN_TO_PROGRAM, (place) => ["run", ...place.tools.ln, `${dirOf(place)}/f8`, `${place.writable}/ln${mark}`]),
  ]
}

/** What Landlock alone refuses, whatever the directory. */
const BESIDES: readonly Escape[] = [
  escape("make a symlink in a writable workdir", DENIED, ({ writable }) => ["symlink", `${writable}/newlink`]),
  escape("move between directories of a writable workdir", BETWEEN, ({ writable }) => ["rename", `${writable}/f9`, `${writable}/dir/f9`]),
  escape("listen on a port that is not configured", DENIED, ({ freePort }) => ["bind", String(freePort)], 4),
  escape("connect to a server", DENIED, ({ port }) => ["connect", String(port)], 4),
  escape("signal another process", /^EPERM$/, ({ pid }) => ["signal", String(pid)], 6),
]

export const ESCAPES: readonly Escape[] = [
  ...READING,
  ...changing("outside", ({ outside }) => outside, 0),
  ...changing("in a read-only workdir", ({ readOnly }) => readOnly, 3),
  ...BESIDES,
]
