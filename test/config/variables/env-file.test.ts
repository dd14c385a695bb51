import { describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import type { Fault } from "../../../src/config/fault.ts"
import { parseEnvFile } from "../../../src/config/variables/env-file.ts"
import { World } from "../world.ts"

function parsed(text: string) {
  const faults: Fault[] = []
  return { env: parseEnvFile(text, faults), faults: faults.map(({ message }) => message) }
}

describe("parseEnvFile()", () => {
  test.each([
    ["A=1", "1"], ["  A = 1  ", "1"], ["export A=1", "1"], ["A=", ""], ["A=x # why", "x"], ["A=# why", ""], ["A=x#y", "x#y"], ["A=a b", "a b"],
    ['A="x # y"', "x # y"], ["A='x'", "x"], ["A='x # $y'", "x # $y"], ['A="x" # why', "x"], ["A=\"it's\"", "it's"], ["A='$HOME\\n'", "$HOME\\n"], ["A=$HOME", "$HOME"], ["A=a=b", "a=b"],
    ["\ufeffA=1\r\n", "1"],
  ])("%j", (text, value) => {
    expect(parsed(text)).toEqual({ env: { A: value }, faults: [] })
  })

  test.each(["A", "A 1", "=1", "1A=1", "A-B=1", "A: 1", 'A="x', 'A="x"y', "A='x' y", 'A="a" "b"', "A=\"x\nB=1"])("%j is a fault that gives the line's number and not its text", (text) => {
    const { faults } = parsed(`# first\n${text}`)
    expect(faults).toEqual(["line 2 is not NAME=VALUE; mend it, or put # before it"])
  })

  test("a name that comes twice is a fault", () => {
    expect(parsed("A=1\n\nA=2").faults).toEqual(["line 3 sets A a second time; keep one"])
  })

  test("no name can reach the prototype", () => {
    expect(Object.entries(parsed("toString=1\nconstructor=2").env)).toEqual([["toString", "1"], ["constructor", "2"]])
  })
})

describe("loadConfig() with --env-file", () => {
  test("reads the file, the environment and the options winning over it", () => {
    using world = new World()
    world.dir("files")
    const envFile = world.file("conf/env", `SERVERFS_PORT=1111\nSERVERFS_HOST=localhost\nFILES_MCP_ROOT=${world.at("files")}\nSERVERFS_MAX_READ_LINES=7\n`)
    const { host, port, limits } = world.config({ SERVERFS_HOST: "127.0.0.2" }, { envFile, port: "2222" })
    expect({ host, port, lines: limits.maxReadLines }).toEqual({ host: "127.0.0.2", port: 2222, lines: 7 })
  })

  test("misspelt names in it are faults too", () => {
    using world = new World()
    expect(world.faults({}, { envFile: world.file("conf/env", "WORKDIR_01_READONLY=false\n"), dirs: [`a=${world.dir("a")}`] }).join()).toContain("WORKDIR_01_READ_ONLY")
  })

  test.each(["missing", "dir", "fifo"])("a %s is a fault", (name) => {
    using world = new World()
    world.dir("dir")
    if (name === "fifo") Bun.spawnSync(["mkfifo", world.at("fifo")])
    expect(world.faults({}, { envFile: world.at(name), dirs: [`a=${world.dir("a")}`] }).join()).toStartWith(`--env-file: "${world.at(name)}" `)
  })

  test("one in a directory that is served is refused, also through a link and also when read-only", () => {
    using world = new World()
    const root = world.dir("served")
    symlinkSync(world.file("served/.env", ""), world.at("link"))
    for (const name of ["served/.env", "link"]) {
      const [fault, ...others] = world.faults({}, { envFile: world.at(name), dirs: [`served=${root}`] })
      expect(others).toEqual([])
      expect(fault).toContain("--env-file: the environment file lies inside the workdir 'served'")
    }
  })

  test("no .env is read unasked", () => {
    using world = new World()
    world.file(".env", "SERVERFS_PORT=1111\n")
    expect(world.config({ FILES_MCP_ROOT: world.dir("files") }).port).toBe(8000)
  })
})
