/** `serverfs doctor`: what is not as it should be on this machine, and what to do. */
import { resolve } from "node:path"
import { parseNamed } from "../../config/directories/named-directory.ts"
import { printable } from "../../config/fault.ts"
import type { Loaded } from "../../config/load.ts"
import type { Environment } from "../../config/variables/values.ts"
import { breakOut } from "../../doctor/break-out/prisoner.ts"
import { examine } from "../../doctor/examine.ts"
import { worst } from "../../doctor/finding.ts"
import { reportText } from "../../doctor/report.ts"
import { ripgrepOnDisk } from "../../search/ripgrep-on-disk.ts"
import { parseOptions } from "../parse-options.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { DONE, type Terminal, USAGE } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"

export const HELP = `Usage: serverfs doctor [--json]

Checks the configuration, every directory, the kernel, the confinement (by trying to break out of it), ripgrep, the port
and the public URL, for the user that runs it. Says for everything that is wrong what to do.
Exit status: 0 = all is well, 1 = warnings, 2 = errors.

${SAME_AS_GATEWAY}`

const OPTIONS = {
  json: { type: "boolean" },
  /** Its own child: confines itself and answers on stdout. */
  "break-out": { type: "boolean" },
} as const

export interface DoctorContext extends Terminal {
  readonly load: () => Promise<Loaded>
  readonly env: Environment
  /** ALIAS=PATH[:rw] each. */
  readonly dirs: readonly string[]
}

/** @param argv what follows `doctor` */
export async function run(argv: readonly string[], { load, env, dirs, stdout, stderr }: DoctorContext): Promise<number> {
  const options = parse(argv)
  if (typeof options === "string") {
    stderr.write(`${printable(`serverfs doctor: ${options}`)}\n\n${HELP}`)
    return USAGE
  }
  if (options["break-out"]) {
    stdout.write(JSON.stringify(await breakOut()))
    return DONE
  }
  const findings = await examine({ load, directories: directoriesNamed(env, dirs), ripgrep: await ripgrepOnDisk() })
  const { level, status } = worst(findings)
  stdout.write(options.json ? `${JSON.stringify({ status: level, findings }, null, 2)}\n` : reportText(findings))
  return status
}

function parse(argv: readonly string[]) {
  try {
    return parseOptions(argv, OPTIONS, false).values
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

/** Those that environment and options give, whether they can be served or not. */
function directoriesNamed(env: Environment, dirs: readonly string[]): string[] {
  const inEnvironment = Object.entries(env).flatMap(([name, path]) => (/^(WORKDIR_\d\d_PATH|FILES_MCP_ROOT)$/.test(name) && path ? [path] : []))
  const inOptions = dirs.map((text) => parseNamed(text)?.path ?? "")
  return [...inEnvironment, ...inOptions].filter((path) => path !== "").map((path) => resolve(path))
}
