import { describe, expect, test } from "bun:test"
import { checkPublicUrl } from "../../src/doctor/checks/public-url.ts"
import { selfSigned } from "../oauth/self-signed.ts"

type Answer = (request: Request) => Response

const NO_STORE = { "Cache-Control": "no-store" }
const healthy = (headers: Record<string, string> = NO_STORE) => Response.json({ status: "ok" }, { headers })
const challenge = (headers: Record<string, string> = { "WWW-Authenticate": "Bearer" }) => Response.json({}, { status: 401, headers })

function gateway(health: Answer, mcp: Answer = () => challenge()) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => (new URL(request.url).pathname === "/healthz" ? health(request) : mcp(request)),
  })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.dispose]: () => void server.stop(true) }
}

async function troubles(health: Answer, mcp?: Answer): Promise<string[]> {
  using server = gateway(health, mcp)
  const findings = await checkPublicUrl(server.url)
  return findings.filter(({ level }) => level !== "ok").map(({ level, message, fix }) => `${level}: ${message} → ${fix}`)
}

describe("checkPublicUrl()", () => {
  test("has nothing against a gateway that answers and challenges", async () => {
    expect(await troubles(() => healthy())).toEqual([])
  })

  test("says so when the certificate is not trusted", async () => {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls: selfSigned("localhost"), fetch: () => healthy() })
    expect(await checkPublicUrl(`https://localhost:${server.port}`)).toEqual([expect.objectContaining({ level: "error", message: expect.stringContaining("is not trusted") })])
  })

  test("names what a tunnel adds", async () => {
    using server = gateway(() => healthy({ ...NO_STORE, "CF-Ray": "1-FRA" }))
    expect((await checkPublicUrl(server.url)).map(({ message }) => message)).toContain("on the way: cf-ray: 1-FRA")
  })

  const refusals: [name: string, health: Answer, mcp: Answer | undefined, trouble: RegExp][] = [
    ["a Host that the gateway refuses", () => Response.json({}, { status: 421 }), undefined, /^error: the tunnel passes on a Host .* SERVERFS_ALLOWED_HOSTS$/],
    ["a sign-in page in front", () => Response.redirect("https://team.cloudflareaccess.com/x", 302), undefined, /^error: it redirects to team\.cloudflareaccess\.com .*Access/],
    ["a tunnel's own error page", () => new Response("<html>", { status: 530, headers: { "Content-Type": "text/html" } }), undefined, /^error: something else answers: status 530 with text\/html/],
    ["another JSON service", () => Response.json({ hello: 1 }), undefined, /^error: something else answers: status 200/],
    ["a proxy that lets everybody in", () => healthy(), () => Response.json({}), /^error: a call without a token gets status 200 in place of 401/],
    ["a proxy that drops the challenge", () => healthy(), () => challenge({}), /^error: the challenge .* is lost/],
    ["a cache", () => healthy({ ...NO_STORE, "CF-Cache-Status": "HIT" }), undefined, /^warning: answers come out of a cache/],
    ["a proxy that drops Cache-Control", () => healthy({}), undefined, /^warning: Cache-Control: no-store is lost/],
  ]
  test.each(refusals)("finds %s", async (_name, health, mcp, trouble) => {
    expect(await troubles(health, mcp)).toEqual([expect.stringMatching(trouble)])
  })

  test("says that nothing answers", async () => {
    using server = gateway(() => healthy())
    const { url } = server
    server[Symbol.dispose]()
    const [finding] = await checkPublicUrl(url)
    expect(finding).toMatchObject({ level: "error", fix: expect.stringContaining("start the gateway and the tunnel") })
  })
})
