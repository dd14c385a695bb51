import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { parseDockerfile } from "./image/dockerfile.ts"

const ROOT = join(import.meta.dir, "../..")
const read = (name: string) => readFileSync(join(ROOT, name), "utf8")
const image = parseDockerfile(read("Dockerfile")).at(-1)?.instructions ?? []
const says = (name: string) => image.find((step) => step.name === name)?.text ?? ""

/** What keeps the current directory out of the process: launcher.test.ts shows what each is for. */
const GUARDS = ["--no-env-file", "--config=", "--tsconfig-override="]

describe("every way to start serverfs from its sources keeps the current directory out of the process", () => {
  test.each([
    ["bin/serverfs", read("bin/serverfs")],
    ["bun run start", manifest.scripts.start],
    ["the image's ENTRYPOINT", says("ENTRYPOINT")],
    ["the image's HEALTHCHECK", says("HEALTHCHECK")],
  ])("%s", (_, command) => {
    for (const guard of GUARDS) expect(command).toContain(guard)
  })
})

describe("Dockerfile", () => {
  test("starts from the official image of the very Bun that the project is tested with", () => {
    const stages = parseDockerfile(read("Dockerfile"))
    expect(stages.map(({ base }) => base)).toEqual([`oven/bun:${manifest.devDependencies.bun}-slim`, `oven/bun:${manifest.devDependencies.bun}-distroless`])
  })

  test("runs as an ordinary user, without a shell", () => {
    expect(says("USER")).toBe("10001:10001")
    for (const name of ["ENTRYPOINT", "HEALTHCHECK"]) expect(says(name)).toContain('["/usr/local/bin/bun", ')
    expect(image.map(({ name }) => name)).not.toContain("RUN")
  })

  test("needs a credential: it listens beyond loopback and brings none", () => {
    expect(says("ENV")).toContain("SERVERFS_HOST=0.0.0.0")
    expect(read("Dockerfile")).not.toContain("SERVERFS_TOKEN")
  })
})
