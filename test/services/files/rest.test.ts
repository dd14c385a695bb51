/** The Files service of the real product: statuses, bodies, gates, the audit. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { type Product, startProduct } from "../../helpers/product.ts"
import { type Scratch, scratch } from "../../helpers/scratch.ts"
import { files } from "./driver.ts"

let dir: Scratch
let product: Product
beforeAll(async () => {
  dir = scratch({
    "root/a.txt": "hello", "root/d/x": "x", "root/full/y": "y", "root/empty": null, "root/p": { fifo: true }, "root/l": { link: "a.txt" }, "root/out": { link: "/etc/passwd" },
    "root/big": "x".repeat(1_048_577), "root/latin1": Uint8Array.of(0xff), "root/gone": { link: "nowhere" }, "root/loop": { link: "loop" }, "root-secret/x": "canary",
  })
  product = await startProduct({ files: dir.at("root") })
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  dir[Symbol.dispose]()
})

/** Tool, arguments, status, code. Nothing of it changes anything. */
const REFUSALS: readonly (readonly [string, object, number, string])[] = [
  ["create_file", { path: "a.txt", content: "x" }, 409, "PATH_ALREADY_EXISTS"],
  ["create_file", { path: "n", content: "x".repeat(1_048_577) }, 400, "WRITE_TOO_LARGE"],
  ["create_file", { path: "n", content: "a\0" }, 400, "BINARY_CONTENT_NOT_ALLOWED"],
  ["create_file", { path: "none/n", content: "x" }, 404, "PARENT_NOT_FOUND"],
  ["create_file", { path: "../n", content: "x" }, 400, "PATH_OUTSIDE_WORKDIR"],
  ["create_file", { path: ".", content: "x", overwrite: true }, 400, "ROOT_MUTATION_NOT_ALLOWED"],
  ["create_file", { path: "n" }, 400, "INVALID_ARGUMENTS"],
  ["create_file", { path: "a.txt/n", content: "x" }, 400, "NOT_A_DIRECTORY"],
  ["create_file", { path: "p", content: "x", overwrite: true }, 400, "UNSUPPORTED_FILE_TYPE"],
  ["create_file", { path: ".serverfs-tmp-n", content: "x" }, 403, "RESERVED_PATH"],
  ["read_file", { path: "none" }, 404, "PATH_NOT_FOUND"],
  ["read_file", { path: "d" }, 400, "NOT_A_FILE"],
  ["read_file", { path: "big" }, 400, "FILE_TOO_LARGE"],
  ["read_file", { path: "latin1" }, 400, "UNSUPPORTED_TEXT_ENCODING"],
  ["read_file", { path: "p" }, 400, "UNSUPPORTED_FILE_TYPE"],
  ["read_file", { path: "out" }, 400, "PATH_OUTSIDE_WORKDIR"],
  ["read_file", { path: "loop" }, 400, "SYMLINK_NOT_ALLOWED"],
  ["read_file", { path: "" }, 400, "INVALID_ARGUMENTS"],
  ["read_file", { path: "a\0" }, 400, "INVALID_ARGUMENTS"],
  ["update_file", { path: "none", content: "x" }, 404, "PATH_NOT_FOUND"],
  ["update_file", { path: "a.txt", content: "x".repeat(1_048_577) }, 400, "WRITE_TOO_LARGE"],
  ["delete_file", { path: "none" }, 404, "PATH_NOT_FOUND"],
  ["delete_file", { path: "d" }, 400, "NOT_A_FILE"],
  ["delete_file", { path: "~", recursive: true }, 400, "ROOT_MUTATION_NOT_ALLOWED"],
  ["delete_file", { path: "p" }, 400, "UNSUPPORTED_FILE_TYPE"],
  ["list_dir", { path: "none" }, 404, "PATH_NOT_FOUND"],
  ["list_dir", { path: "a.txt" }, 400, "NOT_A_DIRECTORY"],
  ["list_dir", { path: ".", max_depth: -1 }, 400, "INVALID_ARGUMENTS"],
  ["stat", { path: "none" }, 404, "PATH_NOT_FOUND"],
  ["search", { path: "none", pattern: "*" }, 404, "PATH_NOT_FOUND"],
  ["search", { path: ".", pattern: "" }, 400, "INVALID_ARGUMENTS"],
  ["search", { path: ".", pattern: "?/".repeat(2049) }, 400, "INVALID_ARGUMENTS"],
  ["move", { src: "none", dst: "n" }, 404, "PATH_NOT_FOUND"],
  ["move", { src: "a.txt", dst: "l" }, 409, "PATH_ALREADY_EXISTS"],
  ["move", { src: "a.txt", dst: "gone" }, 409, "PATH_ALREADY_EXISTS"],
  ["move", { src: "d", dst: "d/n" }, 400, "INVALID_ARGUMENTS"],
  ["move", { src: "d", dst: "full", overwrite: true }, 409, "DIRECTORY_NOT_EMPTY"],
  ["move", { src: "a.txt", dst: "d", overwrite: true }, 400, "NOT_A_FILE"],
  ["move", { src: "p", dst: "n" }, 400, "UNSUPPORTED_FILE_TYPE"],
  ["copy", { src: "none", dst: "n" }, 404, "PATH_NOT_FOUND"],
  ["copy", { src: "gone", dst: "n" }, 404, "PATH_NOT_FOUND"],
  ["copy", { src: "a.txt", dst: "none/n" }, 404, "PARENT_NOT_FOUND"],
  ["copy", { src: "d", dst: "full", overwrite: true }, 409, "DIRECTORY_NOT_EMPTY"],
  ["copy", { src: "d", dst: "a.txt", overwrite: true }, 400, "NOT_A_DIRECTORY"],
  ["copy", { src: "out", dst: "n" }, 400, "PATH_OUTSIDE_WORKDIR"],
]

describe("REST of Files", () => {
  test.each(REFUSALS)("%s %j is %d %s", async (tool, args, status, code) => {
    const before = readdirSync(dir.at("root")).sort()
    const answer = await files(product, tool, args)
    expect([answer.status, answer.body["code"]]).toEqual([status, code])
    expect(answer.body["detail"]).toMatch(new RegExp(`^${code}: .`))
    expect(readdirSync(dir.at("root")).sort()).toEqual(before)
  })

  test("openapi.json says of each of these refusals that it may come", async () => {
    const { paths } = (await (await product.fetch("/files-mcp/openapi.json")).json()) as { paths: Record<string, { post: { responses: Record<string, { description: string }> } }> }
    const said = (tool: string, status: number) => paths[`/files-mcp/${tool}`]?.post.responses[status]?.description.split(", ") ?? []
    expect(REFUSALS.filter(([tool, , status, code]) => !said(tool, status).includes(code))).toEqual([])
  })

  test("an absolute path into a sibling whose name begins like the root's is outside, for every argument of every tool", async () => {
    const sibling = `${dir.at("root")}-secret/x`
    const calls: readonly (readonly [string, object])[] = [
      ["create_file", { path: sibling, content: "x", overwrite: true }], ["read_file", { path: sibling }], ["update_file", { path: sibling, content: "x" }], ["delete_file", { path: sibling, recursive: true }], ["list_dir", { path: sibling }],
      ["stat", { path: sibling }], ["search", { path: sibling, pattern: "*" }], ["move", { src: sibling, dst: "n" }], ["move", { src: "a.txt", dst: sibling }], ["copy", { src: sibling, dst: "n" }], ["copy", { src: "a.txt", dst: sibling, overwrite: true }],
    ]
    for (const [tool, args] of calls) {
      const { status, body } = await files(product, tool, args)
      expect([tool, status, body["code"], String(body["detail"]).includes(dir.path)]).toEqual([tool, 400, "PATH_OUTSIDE_WORKDIR", false])
    }
    expect(readFileSync(dir.at("root-secret/x"), "utf8")).toBe("canary")
  })

  test("what was created is what is read, by whatever name the root is called", async () => {
    await files(product, "create_file", { path: "new.txt", content: "zwölf\r\n" })
    for (const path of ["new.txt", "./new.txt", "~/new.txt", dir.at("root/new.txt")]) {
      expect((await files(product, "read_file", { path })).body).toEqual({ path: dir.at("root/new.txt"), content: "zwölf\r\n", size: 8, encoding: "utf-8" })
    }
    expect((await files(product, "delete_file", { path: "new.txt" })).status).toBe(200)
  })

  test("a recursive delete has time for its work under the shortest limit too", async () => {
    mkdirSync(dir.at("root/tree/t"), { recursive: true })
    for (let at = 0; at < 50; at++) writeFileSync(dir.at(`root/tree/t/${at}`), "")
    await using limited = await startProduct({ files: dir.at("root"), env: { SERVERFS_CALL_TIMEOUT_SECONDS: "1" } })
    expect((await files(limited, "delete_file", { path: "tree", recursive: true })).status).toBe(200)
  })
})

describe("the audit of Files", () => {
  test("names the service and paths relative to the root, where links led, never the root or content", async () => {
    mkdirSync(dir.at("root/deep/er"), { recursive: true })
    const calls: readonly (readonly [string, object, object])[] = [
      ["create_file", { path: dir.at("root/deep/new"), content: "canary-content" }, { path: "deep/new", success: true, bytes_written: 14 }],
      ["read_file", { path: "~/deep/er/../new" }, { path: "deep/new", success: true, bytes_returned: 14 }],
      ["read_file", { path: "deep/er/../none" }, { path: "deep/er/../none", success: false, error_code: "PATH_NOT_FOUND" }],
      ["stat", { path: "/etc/passwd" }, { path: "(outside)", success: false, error_code: "PATH_OUTSIDE_WORKDIR" }],
      ["move", { src: "./deep/new", dst: dir.at("root/deep/er/moved") }, { path: "deep/new", target: "deep/er/moved", success: true }],
      ["copy", { src: "deep/er/moved", dst: "../x" }, { path: "deep/er/moved", target: "(outside)", success: false }],
      ["search", { path: "deep", pattern: "canary-pattern*" }, { path: "deep", success: true, returned: 0, truncated: false }],
      ["update_file", { path: 7, content: "x" }, { success: false, error_code: "INVALID_ARGUMENTS" }],
    ]
    for (const [tool, args, fields] of calls) {
      await files(product, tool, args)
      expect(await product.logged("tool_call", { service: "serverfs-files", tool, principal: "static", ...fields })).toBeDefined()
    }
    const { stderr } = product.written
    for (const secret of [dir.path, "canary-content", "canary-pattern"]) expect(stderr.includes(secret)).toBe(false)
  })
})

describe("a Files root that is read-only", () => {
  test("refuses every mutation before the path is looked at, and reads on", async () => {
    const reading = await startProduct({ files: dir.at("root"), env: { FILES_MCP_READ_ONLY: "true" } })
    try {
      const calls: readonly (readonly [string, object])[] = [
        ["create_file", { path: "../n", content: "x" }], ["update_file", { path: "a.txt", content: "x" }], ["delete_file", { path: "none" }], ["move", { src: "a.txt", dst: "b" }], ["copy", { src: ".serverfs-tmp-1", dst: "b" }],
      ]
      for (const [tool, args] of calls) {
        const { status, body } = await files(reading, tool, args)
        expect([tool, status, body["code"]]).toEqual([tool, 403, "WORKDIR_READ_ONLY"])
      }
      expect((await files(reading, "read_file", { path: "a.txt" })).body["content"]).toBe("hello")
      expect((await files(reading, "create_file", { path: "n" })).body["code"]).toBe("INVALID_ARGUMENTS")
    } finally {
      await reading[Symbol.asyncDispose]()
    }
    expect(lstatSync(dir.at("root/a.txt")).size).toBe(5)
  })
})

/** Tool, arguments, the code and what the text goes on to say: the next step, in this service's own words. */
const NEXT_STEPS: readonly (readonly [string, object, string, string])[] = [
  ["read_file", { path: "none" }, "PATH_NOT_FOUND", "list_dir or search"],
  ["update_file", { path: "none", content: "x" }, "PATH_NOT_FOUND", "create_file makes it"],
  ["create_file", { path: "none/n", content: "x" }, "PARENT_NOT_FOUND", "only copying a directory makes one"],
  ["copy", { src: "a.txt", dst: "none/n" }, "PARENT_NOT_FOUND", "only copying a directory makes one"],
  ["create_file", { path: "a.txt", content: "x" }, "PATH_ALREADY_EXISTS", "update_file"],
  ["list_dir", { path: "a.txt" }, "NOT_A_DIRECTORY", "read_file reads a file"],
  ["search", { path: "a.txt", pattern: "*" }, "NOT_A_DIRECTORY", "its name as pattern"],
  ["copy", { src: "a.txt", dst: "d" }, "PATH_ALREADY_EXISTS", "add /NAME to dst"],
  ["copy", { src: "a.txt", dst: "d", overwrite: true }, "NOT_A_FILE", "add /NAME to dst"],
  ["copy", { src: "d", dst: "a.txt" }, "PATH_ALREADY_EXISTS", "choose another dst"],
  ["move", { src: "d", dst: "empty" }, "PATH_ALREADY_EXISTS", "overwrite=true replaces an empty one"],
  ["move", { src: "a.txt", dst: "l" }, "PATH_ALREADY_EXISTS", "overwrite=true replaces it"],
  ["copy", { src: "d", dst: "full", overwrite: true }, "DIRECTORY_NOT_EMPTY", "recursive=true first"],
  ["move", { src: "d", dst: "full", overwrite: true }, "DIRECTORY_NOT_EMPTY", "recursive=true first"],
]

describe("an error's advice", () => {
  test.each(NEXT_STEPS)("%s %j: %s says '%s'", async (tool, args, code, said) => {
    const { body } = await files(product, tool, args)
    expect([body["code"], body["detail"]]).toEqual([code, expect.stringContaining(said)])
  })
})
