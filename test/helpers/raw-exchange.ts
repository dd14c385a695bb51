import { connect } from "node:net"

/** Sends bytes as they are and gives what came back until the other side closed, or nothing came for `quietMs`. */
export function rawExchange(port: number, chunks: readonly (string | Uint8Array)[], quietMs = 1000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    const done = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(quietMs, done)
    socket.on("data", (data) => (text += data.toString("latin1")))
    socket.on("error", done)
    socket.on("close", () => resolve(text))
    socket.on("connect", () => {
      for (const chunk of chunks) socket.write(chunk)
    })
  })
}
