/**
 * Runs mutations on request, each between two marks that strace can see: the sweep's tracee. A request is a line of JSON
 * on stdin, the answer a line on stdout.
 */
import { ToolError } from "../../src/errors.ts"
import { readlinkat } from "../../src/fs/libc.unsafe.ts"
import { mutating } from "../helpers/mutate.ts"
import { MARK_BEGIN, MARK_END, type Request, type Response } from "./messages.ts"

const NO_DIRECTORY = -1

async function run({ root, tool, path, content, edits, revision }: Request): Promise<Response> {
  const logged: string[] = []
  const at = mutating(root, {}, (event) => logged.push(event))
  const calls = {
    create_text_file: () => at.create(path, content),
    edit_text_file: () => at.edit(path, edits, revision),
    dry_run: () => at.dryRun(path, edits, revision),
    delete_file: () => at.deleteFile(path, revision),
    create_directory: () => at.createDirectory(path),
    delete_directory: () => at.deleteDirectory(path, revision),
  }
  readlinkat(NO_DIRECTORY, MARK_BEGIN, new Uint8Array(1))
  const outcome = await calls[tool]().then(() => ({ code: null, message: "" }), failure)
  readlinkat(NO_DIRECTORY, MARK_END, new Uint8Array(1))
  return { ...outcome, logged }
}

function failure(error: unknown): Omit<Response, "logged"> {
  return error instanceof ToolError ? { code: error.code, message: error.message } : { code: "CRASH", message: String(error) }
}

console.log("ready")
for await (const line of console) console.log(JSON.stringify(await run(JSON.parse(line) as Request)))
