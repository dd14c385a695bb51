import { describe, expect, test } from "bun:test"
import type { PolicyConfig } from "../../src/config/config.ts"
import { Policy } from "../../src/workdir/policy.ts"
import { parsePath } from "../../src/workdir/relpath.ts"
import { codeOf, STRICT } from "../helpers/in-lane.ts"

const verdict = (config: Partial<PolicyConfig>, path: string) => {
  const policy = new Policy({ ...STRICT, ...config })
  try {
    return policy.admit(parsePath(path)).text
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe("Policy.admit()", () => {
  test("takes no look-alike of a parsed path", () => {
    const lookAlike = Object.assign(Object.create(null), { given: "../x", components: ["..", "x"] })
    expect(() => new Policy(STRICT).admit(lookAlike)).toThrow("a parsed path is needed")
  })

  test.each([
    ["a/b.txt", {}, "a/b.txt"],
    [".hidden/x", {}, "HIDDEN_PATH_NOT_ALLOWED"],
    [".hidden/x", { allowHidden: true }, ".hidden/x"],
    ["x/.env", { allowHidden: true }, "DENIED_PATH"],
    ["x/.env", { allowHidden: true, disableDefaultDeny: true }, "x/.env"],
    ["prod.env/deep/a", {}, "DENIED_PATH"],
    ["a.PEM", {}, "a.PEM"],
    ["id_rsa.pub", {}, "id_rsa.pub"],
    ["internal/a", { extraDenyGlobs: ["internal/**"] }, "DENIED_PATH"],
    ["a/b.secret", { extraDenyGlobs: ["*.secret"], disableDefaultDeny: true, allowHidden: true }, "DENIED_PATH"],
    [".serverfs-tmp-1", { allowHidden: true, disableDefaultDeny: true }, "RESERVED_PATH"],
    ["a/.serverfs-disabled/b", { allowHidden: true, disableDefaultDeny: true }, "RESERVED_PATH"],
    [".SERVERFS-TMP-1", { allowHidden: true }, ".SERVERFS-TMP-1"],
  ] as const)("judges %j under %j", (path, config, expected) => {
    expect(verdict(config, path)).toBe(expected)
  })

  test("says reserved before hidden before denied, wherever in the path each stands", () => {
    expect(verdict({}, "a.pem/.x/.serverfs-tmp-1")).toBe("RESERVED_PATH")
    expect(verdict({}, "a.pem/.x")).toBe("HIDDEN_PATH_NOT_ALLOWED")
  })

  test("takes nothing but a parsed path", async () => {
    const lookAlike = { given: "/etc", components: ["..", "etc"] }
    // The type forbids it; the walker's own check is what this pins down.
    const { Root } = await import("../../src/fs/root.ts")
    using root = Root.open("/tmp")
    expect(() => root.directory(lookAlike as never)).toThrow(TypeError)
    expect(await codeOf(() => new Policy(STRICT).admit(parsePath(".ssh")))).toBe("HIDDEN_PATH_NOT_ALLOWED")
  })
})
