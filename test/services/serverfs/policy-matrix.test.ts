/** One policy, eleven channels: hidden × deny × reserved × read-only, every name against every channel (contract §4). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type At, type Answer, REST, RESOURCE_READERS } from "../../e2e/channels.ts"
import { type Product, startProduct } from "../../helpers/product.ts"
import { scratch } from "../../helpers/scratch.ts"

interface Switches {
  readonly alias: string
  readonly hidden: boolean
  readonly defaultDeny: boolean
  readonly extra: boolean
  readonly writable: boolean
}

const BOTH = [false, true]
const WORKDIRS: readonly Switches[] = BOTH.flatMap((hidden) => BOTH.flatMap((defaultDeny) => BOTH.flatMap((extra) => BOTH.map((writable) => ({
  alias: ["w", hidden ? "hidden" : "", defaultDeny ? "deny" : "", extra ? "extra" : "", writable ? "rw" : "ro"].filter(Boolean).join("-"),
  hidden, defaultDeny, extra, writable,
})))))

interface Nature {
  readonly reserved?: true
  readonly hidden?: true
  readonly denied?: true
  readonly extra?: true
}

const NAMES: readonly (readonly [name: string, nature: Nature])[] = [
  ["plain.txt", {}],
  [".note", { hidden: true }],
  ["server.pem", { denied: true }],
  ["id_rsa", { denied: true }],
  [".env", { hidden: true, denied: true }],
  [".ssh", { hidden: true, denied: true }],
  ["plan.secret", { extra: true }],
  [".hush.secret", { hidden: true, extra: true }],
  [".serverfs-tmp-1", { reserved: true, hidden: true }],
  [".serverfs-tmp-1.pem", { reserved: true, hidden: true, denied: true }],
  [".serverfs-disabled", { reserved: true, hidden: true }],
]

/** The contract, said once more: null where the name may be reached. */
function refusal({ reserved, hidden, denied, extra }: Nature, on: Switches): string | null {
  if (reserved) return "RESERVED_PATH"
  if (hidden && !on.hidden) return "HIDDEN_PATH_NOT_ALLOWED"
  return (denied && on.defaultDeny) || (extra && on.extra) ? "DENIED_PATH" : null
}

/** For a busy machine. */
const PATIENCE_MS = 60_000
const STALE = "v1:0000000000000000"
const EDITS = [{ old_text: "needle", new_text: "changed" }]

/** A direct channel: what it is asked for below `files` and `directories`, and what it says when nothing is in the way. */
interface Direct {
  readonly tool: string
  readonly mutates: boolean
  readonly args: object
  /** The target for a name: itself, and something in a directory of that name. */
  readonly paths: (name: string) => readonly string[]
  readonly allowed: string | null
}

const existing = (name: string) => [`files/${name}`, `directories/${name}/inner.txt`]

const DIRECT: readonly Direct[] = [
  { tool: "read_text_file", mutates: false, args: {}, paths: existing, allowed: null },
  { tool: "stat_file", mutates: false, args: {}, paths: existing, allowed: null },
  { tool: "create_text_file", mutates: true, args: { content: "x" }, paths: (name) => [`fresh/${name}`, `directories/${name}/fresh.txt`], allowed: null },
  { tool: "edit_text_file", mutates: true, args: { expected_revision: STALE, edits: EDITS }, paths: existing, allowed: "REVISION_CONFLICT" },
  { tool: "delete_file", mutates: true, args: { expected_revision: STALE }, paths: existing, allowed: "REVISION_CONFLICT" },
  { tool: "create_directory", mutates: true, args: {}, paths: (name) => [`made/${name}`, `directories/${name}/made`], allowed: null },
  { tool: "delete_directory", mutates: true, args: { expected_revision: STALE }, paths: (name) => [`directories/${name}`, `directories/${name}/deep`], allowed: "REVISION_CONFLICT" },
]

const trees = WORKDIRS.map(() => scratch(Object.fromEntries([
  ["fresh", null], ["made", null],
  ...NAMES.flatMap(([name]) => [[`files/${name}`, "needle"], [`directories/${name}/inner.txt`, "needle"], [`directories/${name}/deep`, null]]),
])))
let product: Product

beforeAll(async () => {
  const slots = WORKDIRS.map((on, index) => [on.alias, on.writable ? [trees[index]?.path ?? "", "rw"] as const : trees[index]?.path ?? ""] as const)
  const env = WORKDIRS.flatMap((on, index) => {
    const slot = `WORKDIR_${String(index + 1).padStart(2, "0")}_`
    return [[`${slot}ALLOW_HIDDEN`, String(on.hidden)], [`${slot}DISABLE_DEFAULT_DENY`, String(!on.defaultDeny)], [`${slot}EXTRA_DENY_GLOBS`, on.extra ? "*.secret" : ""]]
  })
  product = await startProduct({ workdirs: Object.fromEntries(slots), env: Object.fromEntries(env) })
}, PATIENCE_MS)

afterAll(async () => {
  await product.stop()
  for (const tree of trees) tree[Symbol.dispose]()
}, PATIENCE_MS)

const at = (): At => ({ url: product.url, mount: "/mcp", token: product.token })
const call = (tool: string, args: object): Promise<Answer> => REST.call(at(), tool, args)

async function pathsOf(tool: string, args: object): Promise<string[]> {
  const { value, code } = await call(tool, args)
  if (value === null) throw new Error(`${tool}: ${code}`)
  return ((value["entries"] ?? value["matches"]) as { path: string }[]).map(({ path }) => path)
}

describe("the policy", () => {
  test("has a workdir for every combination of its switches", () => {
    expect(new Set(WORKDIRS.map(({ alias }) => alias)).size).toBe(16)
  })

  test.each(WORKDIRS.map((on) => [on.alias, on] as const))("%s: list, find and search show what may be reached, and nothing else", async (workdir, on) => {
    const reachable = NAMES.filter(([, nature]) => refusal(nature, on) === null).map(([name]) => name)
    expect(await pathsOf("list_directory", { workdir, path: "files" })).toEqual(reachable.map((name) => `files/${name}`).sort())
    expect(await pathsOf("list_directory", { workdir, path: "directories" })).toEqual(reachable.map((name) => `directories/${name}`).sort())
    const files = reachable.flatMap(existing).sort()
    expect((await pathsOf("find_files", { workdir, pattern: "*", limit: 100 })).filter((path) => !/fresh|made/.test(path)).sort()).toEqual(files)
    expect((await pathsOf("search_text", { workdir, query: "needle", limit: 100 })).sort()).toEqual(files)
  }, PATIENCE_MS)

  test.each(WORKDIRS.map((on) => [on.alias, on] as const))("%s: every direct channel gives each name its code", async (workdir, on) => {
    const got: string[] = [], wanted: string[] = []
    for (const [name, nature] of NAMES) {
      const refused = refusal(nature, on)
      for (const { tool, mutates, args, paths, allowed } of DIRECT) {
        for (const path of paths(name)) {
          got.push(`${tool} ${path}: ${(await call(tool, { workdir, path, ...args })).code}`)
          wanted.push(`${tool} ${path}: ${mutates && !on.writable ? "WORKDIR_READ_ONLY" : refused ?? allowed}`)
        }
      }
      for (const [era, read] of RESOURCE_READERS) {
        for (const path of existing(name)) {
          got.push(`resource ${era} ${path}: ${(await read(at(), `serverfs://${workdir}/${path}`)).code}`)
          wanted.push(`resource ${era} ${path}: ${refused}`)
        }
      }
    }
    expect(got).toEqual(wanted)
  }, PATIENCE_MS)
})
