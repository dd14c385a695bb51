/** Every tool of both services with arguments that succeed, in a place of their own, wherever the principal may use it. */

/** An entry that only this call touches. */
export interface Place {
  /** Its name; what a call leaves beside it is called `${name}.to`. */
  readonly name: string
  readonly revision: string
}

export interface ToolCase {
  readonly tool: string
  readonly access: "read" | "write"
  /** What must be there before the call: "file" holds "x". */
  readonly needs?: "file" | "directory"
  readonly args: (place: Place) => Readonly<Record<string, unknown>>
}

const PLANTED = "a.txt"

/** All but list_workdirs take a workdir besides. */
export const SERVERFS: readonly ToolCase[] = [
  { tool: "list_workdirs", access: "read", args: () => ({}) },
  { tool: "list_directory", access: "read", args: () => ({}) },
  { tool: "find_files", access: "read", args: () => ({ pattern: PLANTED }) },
  { tool: "search_text", access: "read", args: () => ({ query: "hello", path: "sub" }) },
  { tool: "read_text_file", access: "read", args: () => ({ path: PLANTED }) },
  { tool: "stat_file", access: "read", args: () => ({ path: PLANTED }) },
  { tool: "create_text_file", access: "write", args: ({ name }) => ({ path: name, content: "x" }) },
  {
    tool: "edit_text_file",
    access: "write",
    needs: "file",
    args: ({ name, revision }) => ({ path: name, expected_revision: revision, edits: [{ old_text: "x", new_text: "y" }] }),
  },
  { tool: "delete_file", access: "write", needs: "file", args: ({ name, revision }) => ({ path: name, expected_revision: revision }) },
  { tool: "create_directory", access: "write", args: ({ name }) => ({ path: name }) },
  { tool: "delete_directory", access: "write", needs: "directory", args: ({ name, revision }) => ({ path: name, expected_revision: revision }) },
]

export const FILES: readonly ToolCase[] = [
  { tool: "create_file", access: "write", args: ({ name }) => ({ path: name, content: "x" }) },
  { tool: "read_file", access: "read", args: () => ({ path: PLANTED }) },
  { tool: "update_file", access: "write", needs: "file", args: ({ name }) => ({ path: name, content: "y" }) },
  { tool: "delete_file", access: "write", needs: "file", args: ({ name }) => ({ path: name }) },
  { tool: "list_dir", access: "read", args: () => ({ path: "." }) },
  { tool: "stat", access: "read", args: () => ({ path: PLANTED }) },
  { tool: "search", access: "read", args: () => ({ path: "sub", pattern: "*.txt" }) },
  { tool: "move", access: "write", needs: "file", args: ({ name }) => ({ src: name, dst: `${name}.to` }) },
  { tool: "copy", access: "write", needs: "file", args: ({ name }) => ({ src: name, dst: `${name}.to` }) },
]

/** What a token opens; null = all. */
export interface Rights {
  readonly mounts: readonly string[] | null
  readonly workdirs: readonly string[] | null
  readonly readOnly: boolean
  /** Why its holder is nobody: the token's time is over, or the operator has taken it back. */
  readonly gone?: "expired" | "revoked"
}

const ALL: Rights = { mounts: null, workdirs: null, readOnly: false }

/** By the name that the audit must show. */
export const PRINCIPALS: Readonly<Record<string, Rights>> = {
  static: ALL,
  full: ALL,
  "mcp-only": { ...ALL, mounts: ["/mcp"] },
  "files-only": { ...ALL, mounts: ["/files-mcp"] },
  narrow: { ...ALL, workdirs: ["kept", "open"] },
  "kept-only": { ...ALL, mounts: ["/mcp"], workdirs: ["kept"] },
  nowhere: { ...ALL, workdirs: [] },
  reader: { ...ALL, readOnly: true },
  "narrow-reader": { mounts: ["/mcp"], workdirs: ["open"], readOnly: true },
  expired: { ...ALL, gone: "expired" },
  revoked: { ...ALL, gone: "revoked" },
}

/** In slot order. `absent` is no workdir at all: its name is as long as that of `secret`, so that answers can be compared byte by byte. */
export const WORKDIRS = { open: "read-write", kept: "read-only", secret: "read-write" } as const
export const ALIASES: readonly string[] = [...Object.keys(WORKDIRS), "absent"]

export function sees({ workdirs }: Rights, alias: string): boolean {
  return alias in WORKDIRS && (workdirs === null || workdirs.includes(alias))
}

export function accessOf({ readOnly }: Rights, alias: keyof typeof WORKDIRS): string {
  return readOnly ? "read-only" : WORKDIRS[alias]
}

/** The whole rule: what comes of a call. `alias` is null where a tool takes none. */
export function outcome(rights: Rights, mount: string, access: "read" | "write", alias: string | null): string {
  if (rights.gone !== undefined) return "unauthorized"
  if (rights.mounts?.includes(mount) === false) return "insufficient_scope"
  if (alias !== null && !sees(rights, alias)) return "WORKDIR_NOT_FOUND"
  if (access === "write" && (rights.readOnly || alias === "kept")) return "WORKDIR_READ_ONLY"
  return "done"
}

/** Whether a mount shows its mutation tools: not to a principal that can use them nowhere. One that opens every workdir sees all, whatever these are. */
export function writesSomewhere(rights: Rights, mount: string): boolean {
  if (rights.readOnly) return false
  return mount !== "/mcp" || rights.workdirs === null || rights.workdirs.some((alias) => outcome(rights, mount, "write", alias) === "done")
}
