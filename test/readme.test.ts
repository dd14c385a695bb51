import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { rendered, tables } from "../scripts/readme.ts"
import manifest from "../package.json" with { type: "json" }

const readme = await Bun.file(join(import.meta.dir, "..", "README.md")).text()

describe("README.md", () => {
  test("has every table as the code has it (bun run readme writes them)", () => {
    expect(readme).toBe(rendered(readme))
    for (const name of Object.keys(tables())) expect(readme).toContain(`<!-- table: ${name} -->`)
  })

  test("gives a reason for every runtime dependency, and for none that is not there", () => {
    const section = readme.slice(readme.indexOf("### Dependencies"))
    const listed = [...section.matchAll(/^- `([^`]+)`/gm)].map((match) => match[1])
    expect(listed.sort()).toEqual(Object.keys(manifest.dependencies).sort())
  })
})
