/** A real headless Chromium, driven through its DevTools protocol. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Json = Record<string, unknown>

interface Waiting {
  resolve(result: Json): void
  reject(error: Error): void
}

const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--ignore-certificate-errors", "--remote-debugging-port=0", "--hide-scrollbars"]

export interface Look {
  readonly width: number
  readonly height: number
  readonly dark: boolean
  readonly touch: boolean
}

export class Chromium implements AsyncDisposable {
  readonly #process: Bun.Subprocess
  readonly #profile: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  #session: string | null = null
  #sent = 0
  /** What the page's console and the browser's log said. */
  readonly log: string[] = []

  private constructor(process: Bun.Subprocess, profile: string, socket: WebSocket) {
    this.#process = process
    this.#profile = profile
    this.#socket = socket
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  static async start(): Promise<Chromium> {
    const profile = mkdtempSync(join(tmpdir(), "chromium-"))
    const child = Bun.spawn(["chromium", ...FLAGS, `--user-data-dir=${profile}`, "about:blank"], { stdout: "ignore", stderr: "pipe" })
    const socket = new WebSocket(await endpoint(child.stderr))
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve)
      socket.addEventListener("error", reject)
    })
    const browser = new Chromium(child, profile, socket)
    await browser.newTab()
    return browser
  }

  /** Goes on in a tab of its own: one that was sent to an app, as `cursor://`, may lose what is typed or clicked later. */
  async newTab(): Promise<void> {
    this.#session = null
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true })
    this.#session = String(sessionId)
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(`${domain}.enable`)
  }

  send(method: string, params: Json = {}): Promise<Json> {
    const id = ++this.#sent
    this.#socket.send(JSON.stringify({ id, method, params, ...(this.#session === null ? {} : { sessionId: this.#session }) }))
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  async look({ width, height, dark, touch }: Look): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 2, mobile: touch })
    await this.send("Emulation.setTouchEmulationEnabled", { enabled: touch })
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] })
  }

  async open(url: string): Promise<void> {
    const { errorText } = await this.send("Page.navigate", { url })
    if (errorText !== undefined) throw new Error(`${url}: ${String(errorText)}`)
    await this.until("document.readyState === 'complete'")
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true })
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return (result as { value: T }).value
  }

  /** Waits up to 10 s; a page that is just being left counts as "not yet". */
  async until(expression: string): Promise<void> {
    for (const end = performance.now() + 10_000; performance.now() < end; await Bun.sleep(25)) {
      if (await this.value<boolean>(expression).catch(() => false)) return
    }
    throw new Error(`never came true: ${expression} at ${await this.value("location.href")}\n${this.log.join("\n")}`)
  }

  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text })
  }

  /** Clicks into a field and types. */
  async fill(selector: string, text: string): Promise<void> {
    await this.click(selector)
    await this.until(`document.activeElement === document.querySelector(${JSON.stringify(selector)})`)
    await this.type(text)
  }

  /** Clicks a box or a radio button. */
  async choose(selector: string): Promise<void> {
    await this.click(selector)
    await this.until(`(({ checked }) => checked && document.activeElement?.matches(${JSON.stringify(selector)}))(document.querySelector(${JSON.stringify(selector)}))`)
  }

  press(key: string, code: number, text?: string): void {
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(text === undefined ? {} : { text }) }
    for (const type of ["keyDown", "keyUp"]) this.#input("Input.dispatchKeyEvent", { type, ...event })
  }

  /** A real click in the middle of an element. */
  async click(selector: string): Promise<void> {
    const at = await this.value<{ x: number; y: number } | null>(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)})
      if (element === null) return null
      element.scrollIntoView({ block: "center" })
      const box = element.getBoundingClientRect()
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    })()`)
    if (at === null) throw new Error(`there is no ${selector}`)
    for (const type of ["mousePressed", "mouseReleased"]) this.#input("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 })
  }

  /** The whole page, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { cssContentSize } = await this.send("Page.getLayoutMetrics")
    const { width, height } = cssContentSize as { width: number; height: number }
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true, clip: { x: 0, y: 0, width, height, scale: 1 } })
    return Buffer.from(String(data), "base64")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    this.#process.kill("SIGKILL")
    await this.#process.exited
    // Helpers of the browser may be writing still.
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  /** Not waited for: when it leads to another site, the page that would confirm it is gone. */
  #input(method: string, params: Json): void {
    this.send(method, params).catch((error: unknown) => this.log.push(String(error)))
  }

  #receive(message: Json): void {
    const waiting = this.#waiting.get(Number(message["id"]))
    if (waiting === undefined) return this.#note(message)
    this.#waiting.delete(Number(message["id"]))
    const { error, result } = message as { error?: { message: string }; result: Json }
    if (error === undefined) waiting.resolve(result)
    else waiting.reject(new Error(error.message))
  }

  #note({ method, params }: Json): void {
    if (method === "Log.entryAdded") this.log.push((params as { entry: { text: string } }).entry.text)
  }
}

async function endpoint(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of stderr) {
    text += decoder.decode(chunk, { stream: true })
    const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`chromium did not start:\n${text}`)
}
