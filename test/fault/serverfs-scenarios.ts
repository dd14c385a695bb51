/** The paths through the five mutations of ServerFS. */
import { chownSync, linkSync } from "node:fs"
import { edit } from "../helpers/mutate.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { setXattr } from "../helpers/xattrs.ts"
import type { ServerFSCall } from "./messages.ts"
import { isRoot, type Scenario } from "./scenario.ts"

const OLD = "one\ntwo\n"
export const TWIN = ".serverfs-tmp-00000000000000000000000000000000"
const OTHERS = { "d/keep": "keep", "keep": "keep" }

function scenario(name: string, tool: ServerFSCall["tool"], path: string, plant: () => Scratch, ...always: readonly string[]): Scenario {
  return { name, call: { service: "serverfs", tool, path, content: "new file\n", edits: [edit("one", "1")] }, always, between: null, refused: null, plant }
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

export const SERVERFS: readonly Scenario[] = [
  scenario("create_text_file", "create_text_file", "d/f", empty),
  // The second openat is the one for O_TMPFILE, after the one for the root.
  scenario("create_text_file without O_TMPFILE", "create_text_file", "d/f", empty, "openat:error=EOPNOTSUPP:when=2"),
  scenario("create_text_file without hard links", "create_text_file", "d/f", empty, "linkat:error=EPERM"),
  scenario("edit_text_file", "edit_text_file", "d/f", withFile),
  // The third: root, file, O_TMPFILE.
  scenario("edit_text_file without O_TMPFILE", "edit_text_file", "d/f", withMetadata, "openat:error=EOPNOTSUPP:when=3"),
  scenario("edit_text_file without hard links", "edit_text_file", "d/f", withMetadata, "linkat:error=EPERM"),
  scenario("edit_text_file keeping owner and attributes", "edit_text_file", "d/f", withMetadata),
  scenario("edit_text_file with a crash twin", "edit_text_file", "d/f", withTwin),
  scenario("edit_text_file, dry run", "dry_run", "d/f", withFile),
  scenario("delete_file", "delete_file", "d/f", withFile),
  scenario("delete_file with a crash twin", "delete_file", "d/f", withTwin),
  scenario("create_directory", "create_directory", "d/e", empty),
  scenario("delete_directory", "delete_directory", "d/e", withDirectory),
]
