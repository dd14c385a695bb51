/** Every code of the table that a caller can bring about, once, and what its text gives away: nothing (contract §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { linkSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { ERRORS, type ErrorCode } from "../../../src/errors.ts"
import { type At, REST, RESOURCE_READERS } from "../../e2e/channels.ts"
import { type Product, startProduct } from "../../helpers/product.ts"
import { scratch } from "../../helpers/scratch.ts"

const PATIENCE_MS = 60_000
const STALE = "v1:0000000000000000"
const CONTENT = "canary-content"
const CHILD = "canary-child"

/** Needs a broken disk, another user or an exhausted machine: the fault sweep and the tests of those parts scan their texts. */
const ELSEWHERE: readonly ErrorCode[] = [
  "READ_IO_ERROR", "MUTATION_IO_ERROR", "METADATA_PRESERVATION_FAILED", "FILE_CHANGED_DURING_READ", "ACCESS_DENIED", "SEARCH_TIMEOUT", "SEARCH_FAILED", "RESOURCE_EXHAUSTED", "INTERNAL_ERROR",
  "CONFIGURATION_ERROR", "FILE_TOO_LARGE",
]

interface Provoked {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** The revision of this path goes with it. */
  readonly revisionOf?: string
}

const edits = (old_text: string, new_text = "") => [{ old_text, new_text }]

const PROVOKED: Partial<Record<ErrorCode, Provoked>> = {
  INVALID_ARGUMENTS: { tool: "create_text_file", args: { path: "a", content: 5 } },
  WORKDIR_NOT_FOUND: { tool: "create_text_file", args: { workdir: "none", path: "a", content: "" } },
  WORKDIR_READ_ONLY: { tool: "create_text_file", args: { workdir: "ro", path: ".env", content: "" } },
  WORKDIR_UNAVAILABLE: { tool: "create_text_file", args: { workdir: "gone", path: "a", content: "" } },
  PATH_OUTSIDE_WORKDIR: { tool: "create_text_file", args: { path: "../a", content: "" } },
  RESERVED_PATH: { tool: "create_text_file", args: { path: ".serverfs-disabled", content: "" } },
  HIDDEN_PATH_NOT_ALLOWED: { tool: "create_text_file", args: { path: ".a", content: "" } },
  DENIED_PATH: { tool: "create_text_file", args: { path: "a.pem", content: "" } },
  ROOT_MUTATION_NOT_ALLOWED: { tool: "create_directory", args: { path: "full/.." } },
  PATH_NOT_FOUND: { tool: "delete_file", args: { path: "none", expected_revision: STALE } },
  PARENT_NOT_FOUND: { tool: "create_text_file", args: { path: "none/a", content: "" } },
  PATH_ALREADY_EXISTS: { tool: "create_text_file", args: { path: "link", content: "" } },
  NOT_A_FILE: { tool: "delete_file", args: { path: "full", expected_revision: STALE } },
  NOT_A_DIRECTORY: { tool: "create_directory", args: { path: "text/a" } },
  SYMLINK_NOT_ALLOWED: { tool: "edit_text_file", args: { path: "link", expected_revision: STALE, edits: edits("x") } },
  UNSUPPORTED_FILE_TYPE: { tool: "delete_file", args: { path: "fifo", expected_revision: STALE } },
  BINARY_FILE: { tool: "edit_text_file", args: { path: "binary", edits: edits("x") }, revisionOf: "binary" },
  UNSUPPORTED_TEXT_ENCODING: { tool: "edit_text_file", args: { path: "latin1", edits: edits("x") }, revisionOf: "latin1" },
  LINE_TOO_LARGE: { tool: "read_text_file", args: { path: "wide" } },
  BINARY_CONTENT_NOT_ALLOWED: { tool: "create_text_file", args: { path: "a", content: "\0" } },
  WRITE_TOO_LARGE: { tool: "edit_text_file", args: { path: "wide", edits: edits("x") }, revisionOf: "wide" },
  TOO_MANY_EDITS: { tool: "edit_text_file", args: { path: "text", expected_revision: STALE, edits: [...edits("a"), ...edits("b"), ...edits("c")] } },
  EDIT_CONFLICT: { tool: "edit_text_file", args: { path: "text", edits: edits("canary-contemt") }, revisionOf: "text" },
  REVISION_CONFLICT: { tool: "delete_file", args: { path: "text", expected_revision: STALE } },
  MULTIPLE_HARDLINKS_NOT_SUPPORTED: { tool: "edit_text_file", args: { path: "twice", edits: edits("x") }, revisionOf: "twice" },
  DIRECTORY_NOT_EMPTY: { tool: "delete_directory", args: { path: "full" }, revisionOf: "full" },
}

const dir = scratch({
  "rw/text": CONTENT, "rw/binary": `${CONTENT}\0`, "rw/latin1": new Uint8Array([0xe9]), "rw/wide": "x".repeat(200), "rw/twice": CONTENT,
  [`rw/full/${CHILD}`]: "", "rw/link": { link: "text" }, "rw/fifo": { fifo: true }, "ro": null, "gone": null,
})
let product: Product

beforeAll(async () => {
  linkSync(dir.at("rw/twice"), dir.at("rw", CHILD))
  const env = { SERVERFS_MAX_READ_BYTES: "64", SERVERFS_MAX_WRITE_BYTES: "100", SERVERFS_MAX_EDITS_PER_CALL: "2" }
  product = await startProduct({ workdirs: { main: [dir.at("rw"), "rw"], ro: dir.at("ro"), gone: [dir.at("gone"), "rw"] }, env })
  rmSync(dir.at("gone"), { recursive: true })
}, PATIENCE_MS)

afterAll(async () => {
  await product.stop()
  dir[Symbol.dispose]()
}, PATIENCE_MS)

const at = (): At => ({ url: product.url, mount: "/mcp", token: product.token })

/** What no text may hold: of the host, of the tree, of the files. */
function secrets(): string[] {
  const inodes = readdirSync(dir.at("rw")).map((name) => String(statSync(dir.at("rw", name)).ino))
  return [dir.path, "/tmp", "serverfs-tmp", CHILD, CONTENT, "uid", "inode", "/proc", ...inodes]
}

async function provoke({ tool, args, revisionOf }: Provoked) {
  const revision = revisionOf === undefined ? {} : { expected_revision: (await REST.call(at(), "stat_file", { workdir: "main", path: revisionOf })).value?.["revision"] }
  return REST.call(at(), tool, { workdir: "main", ...revision, ...args })
}

describe("an error's text", () => {
  test("is scanned for every code but those that need a broken machine", () => {
    const resource: ErrorCode = "RESOURCE_TOO_LARGE"
    expect([...Object.keys(PROVOKED), resource, ...ELSEWHERE].sort()).toEqual(Object.keys(ERRORS).sort())
  })

  test.each(Object.entries(PROVOKED))("%s gives nothing away", async (code, provoked) => {
    const answer = await provoke(provoked)
    expect([answer.code, answer.status]).toEqual([code, ERRORS[code as ErrorCode].status])
    const { detail } = JSON.parse(answer.text) as { detail: string }
    expect(detail).toStartWith(`${code}: `)
    for (const secret of secrets()) expect(detail).not.toContain(secret)
  }, PATIENCE_MS)

  test.each(RESOURCE_READERS)("RESOURCE_TOO_LARGE gives nothing away, %s", async (_era, read) => {
    const answer = await read(at(), "serverfs://main/wide")
    expect(answer.code).toBe("RESOURCE_TOO_LARGE")
    for (const secret of secrets()) expect(answer.text).not.toContain(secret)
  }, PATIENCE_MS)

  test("can show that the scan would find one: a success does hold the content", async () => {
    writeFileSync(dir.at("rw/open"), CONTENT)
    expect((await REST.call(at(), "read_text_file", { workdir: "main", path: "open" })).text).toContain(CONTENT)
  }, PATIENCE_MS)
})

/** Tool, arguments, the code and what the text goes on to say: the next step, in this service's own words. */
const NEXT_STEPS: readonly (readonly [string, Provoked["args"], ErrorCode, string])[] = [
  ["read_text_file", { path: "none" }, "PATH_NOT_FOUND", "list_directory or find_files"],
  ["read_text_file", { path: "main/text" }, "PATH_NOT_FOUND", "leave out the workdir's alias; for example 'text'"],
  ["list_directory", { path: "main" }, "PATH_NOT_FOUND", "leave out the workdir's alias; the root is the empty path"],
  ["create_text_file", { path: "main//new", content: "" }, "PARENT_NOT_FOUND", "leave out the workdir's alias; for example 'new'"],
  ["read_text_file", { path: "mainly/text" }, "PATH_NOT_FOUND", "list_directory or find_files"],
  ["list_directory", { path: "text" }, "NOT_A_DIRECTORY", "read_text_file reads a file"],
  ["find_files", { path: "text", pattern: "*" }, "NOT_A_DIRECTORY", "its name as pattern"],
  ["search_text", { path: "text", query: "x" }, "NOT_A_DIRECTORY", "its name as glob"],
  ["create_text_file", { path: "none/a", content: "" }, "PARENT_NOT_FOUND", "create_directory"],
  ["create_text_file", { path: "text", content: "" }, "PATH_ALREADY_EXISTS", "edit_text_file"],
  ["create_directory", { path: "full" }, "PATH_ALREADY_EXISTS", "nothing is left to do"],
  ["create_directory", { workdir: "ro", path: "a" }, "WORKDIR_READ_ONLY", "'ro'"],
  ["delete_file", { path: "full", expected_revision: STALE }, "NOT_A_FILE", "delete_directory"],
  ["delete_file", { path: "text", expected_revision: STALE }, "REVISION_CONFLICT", "changed since that revision. To mend it: call stat_file"],
  ["delete_directory", { path: "full", expected_revision: STALE }, "REVISION_CONFLICT", "stat_file gives the new revision"],
  ...["", "latest", "v1:0", STALE.toUpperCase(), `${STALE}\n`, `${STALE}0`].map((expected_revision) => (
    ["delete_file", { path: "text", expected_revision }, "REVISION_CONFLICT", "this is no revision. To mend it: pass on the `revision` that read_text_file or stat_file gave"] as const
  )),
  ["edit_text_file", { path: "text", expected_revision: "latest", edits: edits("x") }, "REVISION_CONFLICT", "this is no revision"],
  ["edit_text_file", { path: "text", expected_revision: STALE, edits: edits("x") }, "REVISION_CONFLICT", "changed since that revision. To mend it: call read_text_file"],
  ["read_text_file", { path: "wide" }, "LINE_TOO_LARGE", "start_byte instead of start_line"],
  ["read_text_file", { path: "wide", tail_lines: 1 }, "LINE_TOO_LARGE", "start_byte instead of tail_lines; stat_file gives the size"],
  ["read_text_file", { path: ".a" }, "HIDDEN_PATH_NOT_ALLOWED", "only the operator"],
  ["read_text_file", { path: "a.pem" }, "DENIED_PATH", "only the operator can open it; go on without it"],
  ["read_text_file", { path: "fifo" }, "UNSUPPORTED_FILE_TYPE", "go on without it"],
  ["read_text_file", { path: "latin1" }, "UNSUPPORTED_TEXT_ENCODING", "its type and size can be looked at"],
  ["read_text_file", { path: "/text" }, "PATH_OUTSIDE_WORKDIR", "for example 'text'"],
  ["read_text_file", { path: "link" }, "SYMLINK_NOT_ALLOWED", "this is a symbolic link"],
  ["delete_directory", { path: "link", expected_revision: STALE }, "SYMLINK_NOT_ALLOWED", "this is a symbolic link"],
  ["list_directory", { path: "link/a" }, "SYMLINK_NOT_ALLOWED", "'link' is a symbolic link"],
  ["delete_directory", { path: "full", expected_revision: "latest" }, "REVISION_CONFLICT", "this is no revision"],
]

describe("an error's advice", () => {
  test.each<[string, string, object[], string]>([
    ["a file that is over the limit", "wide", edits("x"), "the file is 200 bytes, and the write limit is 100. To mend it: a file of this size can be read, not edited"],
    ["a result over the limit", "text", edits("y", "z".repeat(99)), "the result is 112 bytes, and the write limit is 100. To mend it: let the edits add less"],
    ["edits over the limit", "text", edits("canary", "y".repeat(95)), "is 101 bytes, and the write limit is 100. To mend it: make the edits smaller, or split them over several calls"],
  ])("WRITE_TOO_LARGE of %s says what can work there", async (_what, path, edits, said) => {
    const { code, text } = await provoke({ tool: "edit_text_file", args: { path, edits }, revisionOf: path })
    expect([code, (JSON.parse(text) as { detail: string }).detail]).toEqual(["WRITE_TOO_LARGE", expect.stringContaining(said)])
  }, PATIENCE_MS)

  test.each(NEXT_STEPS)("%s %j: %s says '%s'", async (tool, args, code, said) => {
    const answer = await REST.call(at(), tool, { workdir: "main", ...args })
    const { detail } = JSON.parse(answer.text) as { detail: string }
    expect([answer.code, detail]).toEqual([code, expect.stringContaining(said)])
  }, PATIENCE_MS)
})
