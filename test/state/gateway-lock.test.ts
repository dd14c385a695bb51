import { describe, expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { lockGateway } from "../../src/state/gateway-lock.ts"
import { openState } from "../../src/state/state.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const source = (name: string): string => JSON.stringify(join(import.meta.dir, "../../src/state", name))

/** A real gateway as far as the state is concerned: holds the lock until it is killed. */
async function gateway(path: string) {
  const child = Bun.spawn([process.execPath, "-e", `
    import { openState } from ${source("state.ts")}
    import { lockGateway } from ${source("gateway-lock.ts")}
    try {
      const state = openState(${JSON.stringify(path)})
      const lock = lockGateway(${JSON.stringify(path)})
      console.log("running")
      setInterval(() => [state, lock], 1000)
    } catch (error) {
      console.log(error.message)
    }
  `], { stdout: "pipe" })
  const { value } = await child.stdout.getReader().read()
  return { child, said: new TextDecoder().decode(value).trim() }
}

describe("lockGateway", () => {
  test("refuses a second gateway, lets commands in, and is free again after a kill", async () => {
    const first = await gateway(directory())
    expect(first.said).toBe("running")
    const second = await gateway(directory())
    expect(second.said).toContain("another serverfs is running on")
    expect(await second.child.exited).toBe(0)

    using state = openState(directory())
    expect(state.tokens.create("ci", { mounts: null, workdirs: null, readOnly: true, expires: null }, 0)).not.toBeNull()

    first.child.kill("SIGKILL")
    await first.child.exited
    const third = await gateway(directory())
    expect(third.said).toBe("running")
    third.child.kill("SIGKILL")
    await third.child.exited
  })

  test("makes its file for its owner alone, and gives the lock back when disposed", () => {
    using _state = openState(directory())
    lockGateway(directory())[Symbol.dispose]()
    using _lock = lockGateway(directory())
    expect(statSync(join(directory(), "gateway.lock")).mode & 0o777).toBe(0o600)
  })
})
