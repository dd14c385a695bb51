/** Ordinary programs, copied where a confined process may read them, and started through the loader: the one way that is left to run them. */
import { copyFileSync, mkdirSync } from "node:fs"
import { basename, join } from "node:path"
import { mappedCode } from "../../src/confine/facts.ts"

export interface Tools {
  /** Words that start the program. */
  readonly cat: readonly string[]
  readonly ln: readonly string[]
  readonly mv: readonly string[]
  readonly libraries: string
}

export function copyTools(into: string): Tools {
  mkdirSync(into)
  const loader = mappedCode().find((path) => /^ld[-.]/.test(basename(path)))
  if (loader === undefined) throw new Error("no loader is mapped")
  const started = (name: string): string[] => {
    const file = Bun.which(name)
    if (file === null) throw new Error(`no ${name}`)
    const needed = [...Bun.spawnSync(["ldd", file]).stdout.toString().matchAll(/=> (\/\S+)/g)].flatMap(([, path]) => path ?? [])
    for (const path of [file, ...needed]) copyFileSync(path, join(into, basename(path)))
    return [loader, join(into, name)]
  }
  return { cat: started("cat"), ln: started("ln"), mv: started("mv"), libraries: into }
}
