/** The services as those outside them know them: the name in clients, the audit and the log, and the path where each is reached. */

export interface Mounted {
  readonly name: string
  readonly mount: string
}

export const SERVERFS = { name: "serverfs", mount: "/mcp" } as const satisfies Mounted
export const FILES = { name: "serverfs-files", mount: "/files-mcp" } as const satisfies Mounted
export const SERVICES: readonly Mounted[] = [SERVERFS, FILES]

/** Not a service, but a token can be made for it alone. */
export const METRICS_MOUNT = "/metrics"

/** Those that a configuration has, in the order in which clients are told of them. */
export function mountedBy({ files }: { readonly files: object | null }): readonly Mounted[] {
  return SERVICES.filter((service) => service !== FILES || files !== null)
}
