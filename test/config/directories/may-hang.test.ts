import { describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { mayHang } from "../../../src/config/directories/may-hang.ts"
import type { Mount } from "../../../src/config/directories/mounts.ts"
import { World } from "../world.ts"

/** A file system of a server at `base`/nfs, as the mount table shows it; nothing is mounted there. */
function mountsOf(world: World): Mount[] {
  return [{ device: "1:1", root: "/", point: "/", type: "ext4" }, { device: "0:9", root: "/", point: world.at("nfs"), type: "nfs4" }]
}

describe("mayHang()", () => {
  test.each([
    ["nfs", true], ["nfs/a/b", true], ["nfs-other", false], ["local", false], ["local/none/x", false], ["local/../nfs", true],
    ["link", true], ["link/below", true], ["relative", true], ["up", true], ["chain", true], ["home", false], ["loop", false],
  ])("%s: %p", (name, expected) => {
    using world = new World()
    world.dir("local")
    for (const [link, target] of [["link", world.at("nfs/a")], ["relative", "nfs"], ["up", "local/../nfs/x"], ["chain", "link"], ["home", "local"], ["loop", "loop"]] as const) {
      symlinkSync(target, world.at(link))
    }
    expect(mayHang(world.at(name), mountsOf(world))).toBe(expected)
  })

  test("is true where no mount is known", () => {
    expect(mayHang("/x", [])).toBe(true)
  })
})
