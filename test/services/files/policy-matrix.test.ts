/** Both services in one process, each with its own policy over a tree alike: neither's leaks into the other. */
import { describe, expect, test } from "bun:test"
import { type Planted, scratch } from "../../helpers/scratch.ts"
import { type Product, startProduct } from "../../helpers/product.ts"
import { rest } from "./driver.ts"

const NAMES = ["plain.txt", ".hidden", ".env", "id_rsa", "x.fdeny", "x.sdeny", ".serverfs-tmp-x"] as const
type Name = (typeof NAMES)[number]

/** What reading one says: "ok", or a code. `visible` = in a listing as well. */
type Row = Readonly<Record<Name, string>>

const ALL_OPEN: Row = { "plain.txt": "ok", ".hidden": "ok", ".env": "ok", id_rsa: "ok", "x.fdeny": "ok", "x.sdeny": "ok", ".serverfs-tmp-x": "RESERVED_PATH" }
const FILES: Row = { ...ALL_OPEN, "x.fdeny": "DENIED_PATH" }
const STRICT: Row = { ...ALL_OPEN, ".hidden": "HIDDEN_PATH_NOT_ALLOWED", ".env": "HIDDEN_PATH_NOT_ALLOWED", id_rsa: "DENIED_PATH", "x.sdeny": "DENIED_PATH" }
const HIDDEN: Row = { ...STRICT, ".hidden": "ok", ".env": "DENIED_PATH" }

const CASES: readonly (readonly [string, Readonly<Record<string, string>>, serverfs: Row, files: Row])[] = [
  ["defaults", {}, { ...STRICT, "x.sdeny": "ok" }, ALL_OPEN],
  ["deny globs of each", { SERVERFS_EXTRA_DENY_GLOBS: "*.sdeny", FILES_MCP_EXTRA_DENY_GLOBS: "*.fdeny" }, STRICT, FILES],
  ["hidden names allowed in ServerFS", { SERVERFS_EXTRA_DENY_GLOBS: "*.sdeny", SERVERFS_ALLOW_HIDDEN: "true", FILES_MCP_EXTRA_DENY_GLOBS: "*.fdeny" }, HIDDEN, FILES],
  ["the default deny list off in ServerFS", { SERVERFS_ALLOW_HIDDEN: "true", SERVERFS_DISABLE_DEFAULT_DENY: "true" }, ALL_OPEN, ALL_OPEN],
  ["everything hidden denied in Files", { FILES_MCP_EXTRA_DENY_GLOBS: ".*,id_*" }, { ...STRICT, "x.sdeny": "ok" }, { ...ALL_OPEN, ".hidden": "DENIED_PATH", ".env": "DENIED_PATH", id_rsa: "DENIED_PATH" }],
  ["a workdir with rules of its own", { WORKDIR_01_ALLOW_HIDDEN: "true", WORKDIR_01_EXTRA_DENY_GLOBS: "*.sdeny", FILES_MCP_EXTRA_DENY_GLOBS: "*.fdeny" }, HIDDEN, FILES],
]

const tree = (top: string): Record<string, Planted> => Object.fromEntries(NAMES.map((name) => [`${top}/${name}`, "text"]))

async function serverfs(product: Product): Promise<Row> {
  const said = await Promise.all(NAMES.map(async (name) => [name, (await rest(product, "/mcp", "read_text_file", { workdir: "w", path: name })).body["code"] ?? "ok"]))
  return Object.fromEntries(said)
}

async function files(product: Product): Promise<Row> {
  const said = await Promise.all(NAMES.map(async (name) => [name, (await rest(product, "/files-mcp", "read_file", { path: name })).body["code"] ?? "ok"]))
  return Object.fromEntries(said)
}

const visible = (row: Row): string[] => NAMES.filter((name) => row[name] === "ok").sort()
const named = (entries: readonly { readonly name: string }[]): string[] => entries.map(({ name }) => name).sort()

describe("the policies of the two services", () => {
  test.each(CASES)("%s", async (_, env, wantedServerfs, wantedFiles) => {
    using dir = scratch({ ...tree("w"), ...tree("f") })
    await using product = await startProduct({ workdirs: { w: [dir.at("w"), "rw"] }, files: dir.at("f"), env })
    expect({ serverfs: await serverfs(product), files: await files(product) }).toEqual({ serverfs: wantedServerfs, files: wantedFiles })
    expect(named((await rest(product, "/mcp", "list_directory", { workdir: "w" })).body["entries"])).toEqual(visible(wantedServerfs))
    expect(named((await rest(product, "/files-mcp", "list_dir", { path: "." })).body["entries"])).toEqual(visible(wantedFiles))
    // What may be made is judged by the same rules.
    const made = await Promise.all(NAMES.map((name) => rest(product, "/files-mcp", "create_file", { path: `new/../${name}.copy/../${name}`, content: "" })))
    expect(made.map(({ body }) => body["code"])).toEqual(NAMES.map((name) => (wantedFiles[name] === "ok" ? "PATH_ALREADY_EXISTS" : wantedFiles[name])))
  })

  test("read-only is each service's own", async () => {
    using dir = scratch({ ...tree("w"), ...tree("f") })
    for (const [mode, readOnly] of [["rw", "true"], ["ro", "false"]] as const) {
      const workdirs = { w: mode === "rw" ? [dir.at("w"), "rw"] as const : dir.at("w") }
      await using product = await startProduct({ workdirs, files: dir.at("f"), env: { FILES_MCP_READ_ONLY: readOnly } })
      const name = `new-${mode}`
      const created = await rest(product, "/mcp", "create_text_file", { workdir: "w", path: name, content: "" })
      const made = await rest(product, "/files-mcp", "create_file", { path: name, content: "" })
      expect([created.status, made.status]).toEqual(mode === "rw" ? [200, 403] : [403, 200])
    }
  })
})
