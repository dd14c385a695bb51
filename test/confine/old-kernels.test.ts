import { afterAll, describe, expect, test } from "bun:test"
import { kernelHere } from "../../src/confine/kernel.ts"
import { runAttempts } from "./run.ts"
import { makeTree } from "./tree.ts"

/** What each ABI refuses: to read outside, to truncate in a read-only workdir, to connect, to signal; and whether Files may move between directories. */
const ABIS = [
  { abi: 1, state: "partial", answers: ["EACCES", "done", "done", "done", "EXDEV"] },
  { abi: 2, state: "partial", answers: ["EACCES", "done", "done", "done", "done"] },
  { abi: 3, state: "partial", answers: ["EACCES", "EACCES", "done", "done", "done"] },
  { abi: 4, state: "enforced", answers: ["EACCES", "EACCES", "EACCES", "done", "done"] },
  { abi: 5, state: "enforced", answers: ["EACCES", "EACCES", "EACCES", "done", "done"] },
  { abi: 6, state: "enforced", answers: ["EACCES", "EACCES", "EACCES", "EPERM", "done"] },
]

describe("makeRuleset()", () => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  afterAll(() => server.stop(true))

  test.each(ABIS.filter(({ abi }) => abi <= kernelHere().abi))("takes from ABI $abi what it has, and inForce() says so", ({ abi, state, answers }) => {
    using tree = makeTree()
    const run = runAttempts({
      tree,
      abi,
      attempts: [
        ["read", `${tree.outside}/f0`],
        ["truncate", `${tree.readOnly}/f0`],
        ["connect", String(server.port)],
        ["signal", String(process.pid)],
        ["rename", `${tree.files}/f0`, `${tree.files}/dir/f0`],
      ],
    })
    expect(run.answers).toEqual(answers)
    expect(run.confinement).toEqual({
      state, abi, filesystem: true, truncate: answers[1] !== "done", tcp: answers[2] !== "done", scope: answers[3] !== "done", exempt: [], reason: null,
    } as typeof run.confinement)
  })
})
