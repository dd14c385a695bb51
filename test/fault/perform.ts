/** One mutation of either service, as its lane runs it, in this thread. */
import { ToolError } from "../../src/errors.ts"
import { mutating } from "../helpers/mutate.ts"
import { filesIn } from "../operations/files/driver.ts"
import type { FilesCall, Request, Response, ServerFSCall } from "./messages.ts"

export async function perform({ root, call, revision }: Request): Promise<Response> {
  const logged: string[] = []
  const log = (event: string): void => void logged.push(event)
  const outcome = await (call.service === "serverfs" ? changeWorkdir(root, call, revision, log) : changeFiles(root, call, log)).then(() => ({ code: null, message: "", removed: 0 }), failure)
  return { ...outcome, logged }
}

function changeWorkdir(root: string, { tool, path, content, edits }: ServerFSCall, revision: string, log: (event: string) => void): Promise<unknown> {
  const at = mutating(root, {}, log)
  switch (tool) {
    case "create_text_file": return at.create(path, content)
    case "edit_text_file": return at.edit(path, edits, revision)
    case "dry_run": return at.dryRun(path, edits, revision)
    case "delete_file": return at.deleteFile(path, revision)
    case "create_directory": return at.createDirectory(path)
    case "delete_directory": return at.deleteDirectory(path, revision)
  }
}

function changeFiles(root: string, { tool, path, dst, content, overwrite, deny }: FilesCall, log: (event: string) => void): Promise<unknown> {
  const files = filesIn(root, { deny, watch: (message) => { if (message.kind === "log") log(message.event) } })
  switch (tool) {
    case "create_file": return files.create(path, content, overwrite)
    case "update_file": return files.update(path, content)
    case "delete_file": return files.remove(path)
    case "delete_tree": return files.remove(path, true)
    case "move": return files.move(path, dst, overwrite)
    case "copy": return files.copy(path, dst, overwrite)
  }
}

function failure(error: unknown): Omit<Response, "logged"> {
  if (!(error instanceof ToolError)) return { code: "CRASH", message: String(error), removed: 0 }
  return { code: error.code, message: error.message, removed: error.about.partial?.["removed"] ?? 0 }
}
