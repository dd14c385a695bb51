/** What an agent does, with every tool: looks round, makes something, changes it, and leaves no trace. */
import { expect } from "bun:test"
import type { RealClient } from "../helpers/clients.ts"

type Fields = Readonly<Record<string, any>>

/** What both services are planted with for this. */
export const TREE = { "a/b/c.txt": "one\ntwo\nthree\n", "a/long.txt": "line\n".repeat(1000) }

let serial = 0

/** Calls that must succeed; text and structure must say the same. */
function successes(client: RealClient) {
  return async (tool: string, args: object, onprogress?: (done: number) => void): Promise<Fields> => {
    const answer = await client.call(tool, { ...args }, onprogress)
    const text = (answer.content as { text: string }[])[0]?.text ?? ""
    if (answer.isError === true) throw new Error(`${tool}: ${text}`)
    expect(JSON.parse(text)).toEqual(answer.structuredContent)
    return answer.structuredContent as Fields
  }
}

/** All eleven tools and the resources in a writable workdir that holds TREE. */
export async function useServerfs(client: RealClient, workdir: string): Promise<void> {
  const call = successes(client)
  const own = `agent-${serial += 1}`
  expect((await call("list_workdirs", {}))["workdirs"]).toContainEqual({ alias: workdir, description: null, access: "read-write" })
  expect((await call("list_directory", { workdir }))["entries"][0]).toMatchObject({ name: "a", type: "directory" })
  expect((await call("find_files", { workdir, pattern: "c.txt" }, () => {}))["matches"]).toEqual([{ path: "a/b/c.txt" }])
  expect((await call("search_text", { workdir, query: "tw", context_lines: 1 }, () => {}))["matches"]).toMatchObject([{ path: "a/b/c.txt", line: 2, before: ["one"], after: ["three"] }])
  expect(await call("read_text_file", { workdir, path: "a/long.txt", tail_lines: 2 })).toMatchObject({ content: "line\nline\n", has_more: false })
  expect(await client.read(`serverfs://${workdir}/a/b/c.txt`)).toBe("one\ntwo\nthree\n")

  await call("create_directory", { workdir, path: own })
  const path = `${own}/é b.txt`
  const made = await call("create_text_file", { workdir, path, content: "one\ntwo\n" })
  const edits = [{ old_text: "two", new_text: "2" }]
  expect((await call("edit_text_file", { workdir, path, expected_revision: made["revision"], edits, dry_run: true }))["diff"]).toContain("-two\n+2\n")
  const edited = await call("edit_text_file", { workdir, path, expected_revision: made["revision"], edits })
  expect(await client.read(`serverfs://${workdir}/${own}/%C3%A9%20b.txt`)).toBe("one\n2\n")
  expect(await call("stat_file", { workdir, path })).toMatchObject({ size: 6, revision: edited["revision"] })
  await call("delete_file", { workdir, path, expected_revision: edited["revision"] })
  const { revision } = await call("stat_file", { workdir, path: own })
  await call("delete_directory", { workdir, path: own, expected_revision: revision })
}

/** All nine tools in a Files root that holds TREE. */
export async function useFiles(client: RealClient): Promise<void> {
  const call = successes(client)
  const own = `agent-${serial += 1}`
  const names = (answer: Fields): string[] => answer["entries"].map(({ name }: { name: string }) => name)
  expect(names(await call("list_dir", { path: "a" }))).toEqual(["b", "long.txt"])
  expect((await call("search", { path: ".", pattern: "c.txt" }))["matches"]).toHaveLength(1)
  expect(await call("stat", { path: "a/b/c.txt" })).toMatchObject({ name: "c.txt", type: "file", size: 14 })

  await call("copy", { src: "a", dst: own }, () => {})
  await call("create_file", { path: `${own}/.env`, content: "A=1\n" })
  await call("update_file", { path: `${own}/.env`, content: "A=2\n" })
  await call("move", { src: `${own}/.env`, dst: `${own}/b/moved` })
  expect(await call("read_file", { path: `${own}/b/moved` })).toMatchObject({ content: "A=2\n", size: 4, encoding: "utf-8" })
  expect(names(await call("list_dir", { path: `${own}/b` }))).toEqual(["c.txt", "moved"])
  await call("delete_file", { path: own, recursive: true }, () => {})
  expect((await call("search", { path: ".", pattern: own }))["matches"]).toEqual([])
}
