/** Ways out of the confinement. None changes anything when it works. */
import { constants } from "node:fs"
import { dirname } from "node:path"
import { isWithin } from "../../config/directories/mounts.ts"
import { exemptRoots } from "../../confine/exempt.ts"
import type { Confinable, Rules } from "../../confine/rules.ts"

export type Way =
  | { readonly kind: "open"; readonly name: string; readonly path: string; readonly flags: number }
  | { readonly kind: "run" | "search"; readonly name: string; readonly path: string }
  | { readonly kind: "bind" | "connect"; readonly name: string; readonly port: number }

const LIST = constants.O_RDONLY | constants.O_DIRECTORY
/** A file without a name: made in the directory, and gone with its descriptor. node:fs has no name for it. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY

export interface Ports {
  /** Somebody listens here. */
  readonly open: number
  /** Nobody does. */
  readonly free: number
}

export function waysOut(config: Confinable, rules: Rules, ports: Ports): Way[] {
  const granted = rules.paths.filter(({ rights }) => rights.includes("read_dir")).map(({ path }) => path)
  const served = [...config.workdirs.map(({ alias, root, readOnly }) => ({ name: alias, root, readOnly })), ...(config.files === null ? [] : [{ ...config.files, name: "files" }])]
  const around = new Set(["/", "/etc", ...served.map(({ root }) => dirname(root))])
  const exempt = exemptRoots(config)
  const outside = [...around].filter((path) => !granted.some((root) => isWithin(path, root)))
  const kept = served.filter(({ name, readOnly }) => readOnly && !exempt.includes(name))
  return [
    ...outside.map((path): Way => ({ kind: "open", name: `list ${path}`, path, flags: LIST })),
    { kind: "open", name: "read /etc/passwd", path: "/etc/passwd", flags: constants.O_RDONLY },
    ...kept.map(({ name, root }): Way => ({ kind: "open", name: `write in ${name}`, path: root, flags: constants.O_WRONLY | O_TMPFILE })),
    { kind: "run", name: "run another program", path: "/bin/true" },
    { kind: "search", name: "search /etc with ripgrep", path: "/etc" },
    { kind: "bind", name: "listen on another port", port: ports.free },
    { kind: "connect", name: "connect to another server", port: ports.open },
  ]
}
