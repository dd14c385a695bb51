/** Connections on which nothing is going on are closed in the end, whoever opened them; calls and kept connections are not. */
import { expect, test } from "bun:test"
import { connect } from "node:net"
import { startProduct } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"

const IDLE_MS = 120_000
/** What cloudflared waits before it lets go of a connection that it keeps. */
const KEPT_MS = 90_000

test("a connection that never makes a request is closed within a minute, one that makes no other after two", async () => {
  using tree = scratch({ "a.txt": "x\n" })
  await using product = await startProduct({ workdirs: { main: tree.path } })
  const call = `POST /mcp/list_workdirs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${product.token}\r\nContent-Length: 2\r\n\r\n{}`
  const since = performance.now()
  const closed = new Map<string, number>()
  const answers = new Map<string, number>()
  const open = (name: string, text = "") => {
    const socket = connect(product.port, "127.0.0.1")
    socket.write(text)
    socket.on("data", () => answers.set(name, (answers.get(name) ?? 0) + 1))
    socket.on("close", () => closed.set(name, performance.now() - since))
    socket.on("error", () => {})
    return socket
  }
  open("silent")
  open("half a request", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
  open("a refused request", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
  open("a call", call)
  const kept = open("kept", call)

  await Bun.sleep(KEPT_MS)
  expect([...closed.keys()].sort()).toEqual(["half a request", "silent"])
  expect(Math.max(...closed.values())).toBeLessThan(60_000)
  kept.write(call)
  await Bun.sleep(IDLE_MS - KEPT_MS + 15_000)
  expect([...closed.keys()].sort()).toEqual(["a call", "a refused request", "half a request", "silent"])
  expect(answers.get("kept")).toBe(2)
  kept.destroy()
}, 180_000)
