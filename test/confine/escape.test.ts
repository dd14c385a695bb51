import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { ESCAPES, type Place } from "./escapes.ts"
import { type Answers, runAttempts, USERS } from "./run.ts"
import { copyTools } from "./tools.ts"
import { makeTree, type Mode } from "./tree.ts"

/** The kernel gave it a moment ago, and seldom gives the same one twice. */
function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  server.stop(true)
  return server.port
}

describe.each(Object.entries(USERS))("confine() as %s", (_user, words) => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  const sleeper = Bun.spawn([...words, "sleep", "60"])
  let confined: Answers
  let free: Answers

  function answers(mode: Mode): Answers {
    using tree = makeTree()
    const tools = copyTools(`${tree.readOnly}/tools`)
    symlinkSync(`${tree.outside}/f0`, `${tree.writable}/escape`)
    const place: Place = { ...tree, tools, port: server.port, freePort: freePort(), pid: sleeper.pid }
    const attempts = ESCAPES.map(({ attempt }) => attempt(place))
    return runAttempts({ words, mode, tree, attempts, libraries: tools.libraries })
  }

  beforeAll(() => {
    confined = answers("required")
    free = answers("off")
  })
  afterAll(() => {
    sleeper.kill()
    server.stop(true)
  })

  test.each(ESCAPES.map((escape, i) => [escape.name, escape, i] as const))("refuses to %s", (_name, { refusal, since }, i) => {
    expect(free.answers[i]).toBe("done")
    expect(confined.answers[i]).toMatch(Number(confined.confinement.abi) >= since ? refusal : /^done$/)
  })

  test("says what is in force", () => {
    expect(free.confinement).toMatchObject({ state: "off", filesystem: false, tcp: false })
    expect(confined.confinement).toMatchObject({ filesystem: true, truncate: true, reason: null })
  })
})
