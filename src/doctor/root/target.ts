import type { Config } from "../../config/config.ts"
import { FILES } from "../../service-mounts.ts"

/** A directory that is served. */
export interface Target {
  /** The workdir's alias, or the mount of Files, which no alias can be. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  readonly writable: boolean
}

export function targetsOf({ workdirs, files }: Pick<Config, "workdirs" | "files">): Target[] {
  const named = workdirs.map(({ alias, root, readOnly }) => ({ name: alias, path: root, writable: !readOnly }))
  return files === null ? named : [...named, { name: FILES.mount, path: files.root, writable: !files.readOnly }]
}
