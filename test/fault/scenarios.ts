/** The paths through the five mutations, each with the tree it starts from. */
import { chownSync, linkSync } from "node:fs"
import { edit } from "../helpers/mutate.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { setXattr } from "../helpers/xattrs.ts"
import type { Request } from "./messages.ts"

/** The revision is that of the planted file. */
export type Call = Omit<Request, "root" | "revision">

export interface Scenario {
  readonly name: string
  readonly request: Call
  /** Faults that make the system one on which this path is taken. */
  readonly always: readonly string[]
  plant(): Scratch
}

const OLD = "one\ntwo\n"
export const TWIN = ".serverfs-tmp-00000000000000000000000000000000"
const OTHERS = { "d/keep": "keep", "keep": "keep" }

const isRoot = process.geteuid?.() === 0

function request(tool: Request["tool"], path: string): Call {
  return { tool, path, content: "new file\n", edits: [edit("one", "1")] }
}

function withTwin(): Scratch {
  const dir = scratch({ "d/f": OLD, ...OTHERS })
  linkSync(dir.at("d/f"), dir.at("d", TWIN))
  return dir
}

/** With everything that an edit has to keep: an owner of its own (where the sweep runs as root) and an attribute. */
function withMetadata(): Scratch {
  const dir = scratch({ "d/f": OLD, ...OTHERS })
  setXattr(dir.at("d/f"), "user.note", "kept")
  if (isRoot) chownSync(dir.at("d/f"), 65_534, 65_534)
  return dir
}

const withFile = () => scratch({ "d/f": OLD, ...OTHERS })
const withDirectory = () => scratch({ "d/e": null, ...OTHERS })
const empty = () => scratch(OTHERS)

export const SCENARIOS: readonly Scenario[] = [
  { name: "create_text_file", request: request("create_text_file", "d/f"), always: [], plant: empty },
  // The second openat is the one for O_TMPFILE, after the one for the root.
  { name: "create_text_file without O_TMPFILE", request: request("create_text_file", "d/f"), always: ["openat:error=EOPNOTSUPP:when=2"], plant: empty },
  { name: "create_text_file without hard links", request: request("create_text_file", "d/f"), always: ["linkat:error=EPERM"], plant: empty },
  { name: "edit_text_file", request: request("edit_text_file", "d/f"), always: [], plant: withFile },
  // The third: root, file, O_TMPFILE.
  { name: "edit_text_file without O_TMPFILE", request: request("edit_text_file", "d/f"), always: ["openat:error=EOPNOTSUPP:when=3"], plant: withMetadata },
  { name: "edit_text_file without hard links", request: request("edit_text_file", "d/f"), always: ["linkat:error=EPERM"], plant: withMetadata },
  { name: "edit_text_file keeping owner and attributes", request: request("edit_text_file", "d/f"), always: [], plant: withMetadata },
  { name: "edit_text_file with a crash twin", request: request("edit_text_file", "d/f"), always: [], plant: withTwin },
  { name: "edit_text_file, dry run", request: request("dry_run", "d/f"), always: [], plant: withFile },
  { name: "delete_file", request: request("delete_file", "d/f"), always: [], plant: withFile },
  { name: "delete_file with a crash twin", request: request("delete_file", "d/f"), always: [], plant: withTwin },
  { name: "create_directory", request: request("create_directory", "d/e"), always: [], plant: empty },
  { name: "delete_directory", request: request("delete_directory", "d/e"), always: [], plant: withDirectory },
]
