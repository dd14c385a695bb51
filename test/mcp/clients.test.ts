import { describe, expect, test } from "bun:test"
import { CLIENTS } from "../helpers/clients.ts"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"

describe.each(CLIENTS)("the real client of %s", (_name, connect, revision) => {
  test("negotiates its revision, lists, calls, is refused, reads and follows progress", async () => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    await using client = await connect(`${server.url}/mcp`, "full")
    expect([client.revision, client.serverName]).toEqual([revision, "notes"])
    expect(await client.tools()).toEqual(["read_note", "write_notes", "count_slowly", "fail_oddly", "do_nothing"])

    const value = { path: "a.txt", text: "one", from: 0, loud: false, next: null }
    expect(await client.call("read_note", { board: "main", path: "a.txt" })).toMatchObject({
      content: [{ type: "text", text: JSON.stringify(value) }],
      structuredContent: value,
    })
    expect(await client.call("read_note", { board: "ghost", path: "a.txt" })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringMatching(/^WORKDIR_NOT_FOUND: /) }],
    })
    expect(await client.read("notes://main/sub/%C3%A9%20b.txt")).toBe("two")
    await expect(client.read("notes://main/none")).rejects.toThrow("PATH_NOT_FOUND")
    await expect(client.call("no_such_tool", {})).rejects.toThrow("no_such_tool")

    const seen: number[] = []
    const counted = await client.call("count_slowly", { board: "main", every: 45 }, (done) => seen.push(done))
    expect([seen, counted.structuredContent]).toEqual([[1, 2, 3], { counted: 3 }])
  })

  test("calls concurrently without mixing answers", async () => {
    await using server = listening(fixtureApp())
    await using client = await connect(`${server.url}/mcp/`, "full")
    const sizes = Array.from({ length: 40 }, (_, i) => i)
    const answers = await Promise.all(sizes.map((size) => client.call("do_nothing", { size })))
    expect(answers.map(({ structuredContent }) => (structuredContent as { text: string }).text.length)).toEqual(sizes)
  })

  test("a wrong token does not connect", async () => {
    await using server = listening(fixtureApp())
    await expect(connect(`${server.url}/mcp`, "wrong")).rejects.toThrow()
  })
})
