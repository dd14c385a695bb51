import { describe, expect, test } from "bun:test"
import { run } from "../../../src/cli/commands/healthcheck.ts"
import type { Fault } from "../../../src/config/fault.ts"
import { listenAddress } from "../../../src/config/listen-address.ts"
import { fixtureApp, listening } from "../../helpers/fixture-app.ts"

const NO_OPTIONS = { dirs: [], envFile: null, host: null, port: null }

async function healthcheck(host: string, port: number, ...argv: string[]) {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  const status = await run(argv, { address: { host, port }, stdout: into("stdout"), stderr: into("stderr") })
  return { status, ...out }
}

describe("healthcheck", () => {
  test.each(["127.0.0.1", "localhost", "0.0.0.0"])("is 0 and says ready when the gateway on %s is ready", async (host) => {
    await using gateway = listening(fixtureApp())
    expect(await healthcheck(host, gateway.port)).toEqual({ status: 0, stdout: "ready\n", stderr: "" })
  })

  test("asks the gateway itself, whatever proxy the environment names", async () => {
    await using gateway = listening(fixtureApp())
    const child = Bun.spawn([process.execPath, "--no-env-file", "src/main.ts", "healthcheck", `--port=${gateway.port}`], {
      cwd: `${import.meta.dir}/../../..`,
      env: { ...process.env, HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" },
    })
    expect(await child.exited).toBe(0)
  })

  test("is 1 and says why when nothing listens there", async () => {
    const gateway = listening(fixtureApp())
    await gateway.stop()
    expect(await healthcheck("127.0.0.1", gateway.port)).toMatchObject({
      status: 1, stderr: `serverfs: on 127.0.0.1, port ${gateway.port}, the gateway does not answer (ECONNREFUSED)\n`,
    })
  })

  test("is 1 for port 0, which any gateway may have got", async () => {
    expect(await healthcheck("127.0.0.1", 0)).toMatchObject({ status: 1, stdout: "" })
  })

  test("takes no arguments: 2", async () => {
    expect(await healthcheck("127.0.0.1", 1, "now")).toMatchObject({ status: 2, stdout: "" })
  })

  test.each([[503, "no"], [200, "hello"], [200, "x".repeat(2 ** 20)]])("is 1 and says so when something else answers with status %d", async (status, body) => {
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body, { status }) })
    const foreign = `serverfs: on 127.0.0.1, port ${other.port}, something other than serverfs answers (status ${status}); give the host and port of the gateway\n`
    expect(await healthcheck("127.0.0.1", other.port ?? 0)).toEqual({ status: 1, stdout: "", stderr: foreign })
  })
})

describe("listenAddress()", () => {
  test("looks at no directory, no token's file and no variable but its own", () => {
    const faults: Fault[] = []
    const env = { SERVERFS_PORT: "9000", WORKDIR_01_ALIAS: "gone", WORKDIR_01_PATH: "/does/not/exist", SERVERFS_TOKEN_FILE: "/nor/this", SERVERFS_MAX_READ_BYTES: "x" }
    expect(listenAddress({ env, options: NO_OPTIONS, cwd: "/", home: null }, faults)).toEqual({ host: "127.0.0.1", port: 9000 })
    expect(faults).toEqual([])
  })
})
