/** What the runtime needs of this host, found by looking at the process itself. */
import { readFileSync, readlinkSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Facts, ProgramPaths } from "./rules.ts"

/** What the caller knows and the process cannot show. */
export type Wishes = Pick<Facts, "ripgrep" | "connectsOut">

/** Files mapped as code, each once: the executable, its loader, its libraries. So glibc, musl and the binary each get theirs. */
export function mappedCode(maps = readFileSync("/proc/self/maps", "utf8")): string[] {
  const paths = maps.split("\n").flatMap((line) => {
    const [, , permissions, path] = /^(\S+) (\S+) .*?(\/.*)$/.exec(line) ?? []
    return permissions?.includes("x") && path !== undefined && !path.endsWith(" (deleted)") ? [path] : []
  })
  return [...new Set(paths)]
}

/**
 * The program's own files: names in its directory, contents of its sources and packages alone. Installed as a package,
 * what it imports may lie beside it, in the outermost node_modules. A single-file binary has none: it carries them.
 */
export function programPaths(here = import.meta.dir, entry = Bun.main): ProgramPaths {
  if (here.startsWith("/$bunfs/")) return { listed: [], read: [] }
  const root = dirname(dirname(here))
  const packages = /^.*?\/node_modules(?=\/)/.exec(root)?.[0]
  const own = ["src", "node_modules", "package.json", "tsconfig.json", "bunfig.toml"].map((name) => join(root, name))
  return { listed: [root, dirname(entry)], read: [...own, entry, ...(packages === undefined ? [] : [packages])] }
}

/** A daemon that writes resolv.conf replaces the file, and a rule stays with the old one: so its directory, if that is its own. */
function resolverDir(): string | null {
  try {
    const target = realpathSync("/etc/resolv.conf")
    return target.startsWith("/run/") ? dirname(target) : null
  } catch {
    return null
  }
}

/** Throws what node:fs throws when /proc is not mounted. */
export function gatherFacts(wishes: Wishes): Facts {
  const executable = readlinkSync("/proc/self/exe")
  return {
    executable,
    libraries: mappedCode().filter((path) => path !== executable),
    program: programPaths(),
    resolverDir: resolverDir(),
    ...wishes,
  }
}
