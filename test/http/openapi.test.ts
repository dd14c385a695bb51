import { describe, expect, test } from "bun:test"
import { fixtureApp } from "../helpers/fixture-app.ts"

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: object } } }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

interface Document {
  readonly openapi: string
  readonly info: object
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly securitySchemes: object; readonly schemas: { readonly Error: { readonly properties: { readonly code: { readonly enum: readonly string[] } } } } }
}

const fetchDocument = async (path = "/mcp/openapi.json", token = "full"): Promise<Document> =>
  (await (await fixtureApp().request(path, { headers: { authorization: `Bearer ${token}` } })).json()) as Document

describe("openApi()", () => {
  test("is OpenAPI 3.1 and describes every tool as the tool describes itself", async () => {
    const document = await fetchDocument()
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toEqual({ title: "Notes", version: "1.2.3", description: "Boards with notes." })
    expect(document.servers).toEqual([{ url: "https://gate.example.net" }])
    expect(document.components.securitySchemes).toEqual({ bearer: { type: "http", scheme: "bearer" } })

    const { result } = await fixtureApp().rpc("tools/list")
    const tools = result?.["tools"] as { name: string; title: string; description: string; inputSchema: object }[]
    expect(Object.keys(document.paths)).toEqual(tools.map(({ name }) => `/mcp/${name}`))
    for (const { name, title, description, inputSchema } of tools) {
      const { post } = document.paths[`/mcp/${name}`]!
      expect(post).toMatchObject({ operationId: name, summary: title, description })
      expect(post.requestBody.content["application/json"].schema).toEqual(inputSchema)
    }
  })

  test("lists the error answers by status, the tool's own codes among them", async () => {
    const { responses } = (await fetchDocument()).paths["/mcp/read_note"]!.post
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400", "401", "403", "404", "429", "500", "503"]))
    expect(responses["404"]?.description).toContain("PATH_NOT_FOUND")
  })

  test("holds for what the edge answers by itself", async () => {
    const document = await fetchDocument()
    const { request } = fixtureApp()
    const answers = await Promise.all([
      request("/mcp/read_note", { method: "POST", headers: { authorization: "" } }),
      request("/mcp/read_note", { method: "POST", headers: { authorization: "Bearer elsewhere" } }),
      request("/mcp/read_note", { method: "POST", headers: { origin: "https://evil.example" } }),
      request("/mcp/read_note", { method: "POST", headers: { host: "evil.example" } }),
      request("/mcp/read_note", { method: "POST", body: Uint8Array.of(0xff) }),
      request("/mcp/read_note", { method: "POST", body: "x".repeat(8 * 1024 * 1024 + 1) }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 421, 400, 413])
    const { responses } = document.paths["/mcp/read_note"]!.post
    for (const answer of answers) {
      const { code } = (await answer.json()) as { code: string }
      expect(responses[answer.status]?.description.split(", ")).toContain(code)
      expect(document.components.schemas.Error.properties.code.enum).toContain(code)
    }
  })

  test("names nothing of another mount", async () => {
    expect(Object.keys((await fetchDocument("/other/openapi.json")).paths).every((path) => path.startsWith("/other/"))).toBe(true)
  })

  test("shows a principal that can write nowhere no mutation", async () => {
    expect(Object.keys((await fetchDocument("/mcp/openapi.json", "reader")).paths)).not.toContain("/mcp/write_notes")
  })

  test("is behind the credential, and only to be read", async () => {
    const { request } = fixtureApp()
    expect((await request("/mcp/openapi.json", { headers: { authorization: "" } })).status).toBe(401)
    const answer = await request("/mcp/openapi.json", { method: "POST" })
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  test("without a public URL its addresses are relative", async () => {
    const { request } = fixtureApp({ config: { publicUrl: null } })
    expect(((await (await request("/mcp/openapi.json")).json()) as Document).servers).toEqual([{ url: "/" }])
  })
})
