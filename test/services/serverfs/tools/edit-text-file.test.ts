import { expect, test } from "bun:test"
import { asking } from "../../../hostile/calls.ts"
import { startProduct, until } from "../../../helpers/product.ts"
import { scratch } from "../../../helpers/scratch.ts"

test("edit_text_file tells the audit a dry run from a change", async () => {
  using dir = scratch({ "w/a.txt": "one\n" })
  await using product = await startProduct({ workdirs: { w: [dir.at("w"), "rw"] }, stateDir: dir.at("state") })
  const ask = asking(product)
  const { value: { revision } } = await ask("stat_file", { workdir: "w", path: "a.txt" })
  const edit = { workdir: "w", path: "a.txt", expected_revision: revision, edits: [{ old_text: "one", new_text: "two" }] }
  expect((await ask("edit_text_file", { ...edit, dry_run: true })).value["edited"]).toBe(false)
  expect(await product.logged("tool_call", { tool: "edit_text_file" })).toMatchObject({ success: true, dry_run: true })
  expect((await ask("edit_text_file", { ...edit, dryRun: true })).code).toBe("INVALID_ARGUMENTS")
  expect((await ask("edit_text_file", edit)).value["edited"]).toBe(true)
  const changed = await until(5000, () => product.log.find((line) => line["edit_count"] === 1 && line["dry_run"] === undefined))
  expect(changed).toMatchObject({ event: "tool_call", tool: "edit_text_file", success: true })
})
