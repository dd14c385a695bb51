import { describe, expect, test } from "bun:test"
import { INNOCENT, PLANTED } from "./boundary/planted.ts"
import { POWER, violations } from "./boundary/rules.ts"

const files = [...new Bun.Glob("**/*").scanSync({ cwd: `${import.meta.dir}/../src`, dot: true })].sort()
const text = (file: string) => Bun.file(`${import.meta.dir}/../src/${file}`).text()

describe("the boundary", () => {
  test.each(files)("src/%s keeps to its layer", async (file) => {
    expect(violations(file, await text(file))).toEqual([])
  })

  test.each(PLANTED)("catches %s", (_, file, source) => {
    expect(violations(file, source)).not.toEqual([])
  })

  test.each(INNOCENT)("lets %s pass", (_, file, source) => {
    expect(violations(file, source)).toEqual([])
  })

  test("lists every *.unsafe.ts, and nothing that has gone", () => {
    const unsafe = files.filter((file) => file.endsWith(".unsafe.ts"))
    expect(Object.keys(POWER).filter((file) => file.endsWith(".unsafe.ts")).sort()).toEqual(unsafe)
    expect(Object.keys(POWER).filter((file) => !files.includes(file))).toEqual([])
  })

  test("grants no power that is not used", async () => {
    const idle: string[] = []
    for (const [file, powers] of Object.entries(POWER)) {
      const source = await text(file)
      const found = violations("mcp/not-listed.ts", source).map((each) => each.replace("uses ", ""))
      idle.push(...powers.filter((power) => !found.includes(power)).map((power) => `${file}: ${power}`))
    }
    expect(idle).toEqual([])
  })

  test("keeps every source file under 300 lines", async () => {
    const long: string[] = []
    for (const file of files) {
      const lines = (await text(file)).split("\n").length
      if (lines > 300) long.push(`${file}: ${lines}`)
    }
    expect(long).toEqual([])
  })
})
