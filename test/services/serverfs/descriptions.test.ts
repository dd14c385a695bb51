/** What agents are told of arguments that they would else have to find out by failing. */
import { describe, expect, test } from "bun:test"
import { editTextFile } from "../../../src/services/serverfs/tools/edit-text-file.ts"
import { findFiles } from "../../../src/services/serverfs/tools/find-files.ts"
import { readTextFile } from "../../../src/services/serverfs/tools/read-text-file.ts"
import { LIMITS } from "../../helpers/limits.ts"

const limits = { ...LIMITS, maxReadLines: 7 }
const TOOLS = new Map([editTextFile(limits), findFiles(limits), readTextFile(limits)].map((tool) => [tool.name, tool]))

describe("the description of an argument", () => {
  test.each([
    ["read_text_file", "the last N lines, at most 7; start_byte reads what is before them"],
    ["read_text_file", "whole characters from this byte on, up to max_lines lines"],
    ["edit_text_file", "written as it is: use \\r\\n where the file does"],
    ["find_files", "no {a,b}: one call each"],
    ["find_files", "whole names at any depth (*.py, *calc*)"],
  ])("of %s: %s", (name, said) => {
    expect(JSON.stringify(TOOLS.get(name)?.inputSchema)).toContain(JSON.stringify(said).slice(1, -1))
  })
})
