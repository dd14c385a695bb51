import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { gatherFacts, mappedCode, programPaths } from "../../src/confine/facts.ts"

const MAPS = `00200000-01a39000 r--p 00000000 fe:00 2146413                            /opt/with space/bun
01a40000-0684a000 r-xp 01838000 fe:00 2146413                            /opt/with space/bun
0684a000-0685f000 r-xp 06641000 fe:00 2146413                            /opt/with space/bun
06867000-06868000 rwxp 00000000 00:00 0
06868000-06869000 rwxp 00000000 00:00 0                                  [anon:JIT]
7f43e8c2c000-7f43e8c3c000 r--p 00000000 fe:00 339704                     /srv/data.bin
7f43e8f0d000-7f43e8f33000 r-xp 00001000 fe:00 338944                     /lib/ld-musl-x86_64.so.1
7f43e8f33000-7f43e8f3d000 r-xp 00027000 00:01 338944                     /memfd:code (deleted)
`

describe("mappedCode()", () => {
  test("names each file that is mapped as code once, and no data, memory or deleted file", () => {
    expect(mappedCode(MAPS)).toEqual(["/opt/with space/bun", "/lib/ld-musl-x86_64.so.1"])
  })
})

describe("programPaths()", () => {
  test("reads sources and packages, and of its own directory the names alone", () => {
    const { listed, read } = programPaths("/app/src/confine", "/app/src/main.ts")
    expect(listed).toEqual(["/app", "/app/src"])
    expect(read).toEqual(["/app/src", "/app/node_modules", "/app/package.json", "/app/tsconfig.json", "/app/bunfig.toml", "/app/src/main.ts"])
  })

  test("installed as a package, it reads the packages beside it", () => {
    const { read } = programPaths("/srv/node_modules/.bun/serverfs@1/node_modules/serverfs/src/confine", "/srv/x.ts")
    expect(read).toContain("/srv/node_modules")
  })

  test("a single-file binary reads nothing", () => {
    expect(programPaths("/$bunfs/root", "/$bunfs/root/serverfs")).toEqual({ listed: [], read: [] })
  })
})

describe("gatherFacts()", () => {
  test("finds files that are there, the executable apart from its libraries", () => {
    const { executable, libraries } = gatherFacts({ ripgrep: null, connectsOut: false })
    expect([executable, ...libraries].every((path) => existsSync(path))).toBe(true)
    expect(libraries.length).toBeGreaterThan(1)
    expect(libraries).not.toContain(executable)
  })
})
