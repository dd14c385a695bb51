/** The far side of a lane: a thread that belongs to one directory and makes every system call for it. */
import { Cancelled, ToolError } from "../errors.ts"
import { OPERATIONS } from "../operations/index.ts"
import type { Call, Directory } from "../operations/operation.ts"
import { LaneCall } from "./lane-call.ts"
import { type Failure, type FromLane, type Opening, SHARED, type ToLane } from "./messages.ts"
import { OpenDirectory } from "./open-directory.ts"
import { pack } from "./packet.ts"

declare const self: Worker

const calls = new Map<number, LaneCall>()
let shared: Int32Array = new Int32Array(2)
let open: OpenDirectory | undefined
/** What the main thread's clock is behind this one's: no more than the quickest message so far has shown. */
let behind = Number.POSITIVE_INFINITY

/** What is said in this turn of the event loop. */
const outbox: FromLane[] = []

function post(message: FromLane): void {
  outbox.push(message)
  if (outbox.length > 1) return
  setImmediate(() => {
    for (const text of pack(outbox.splice(0))) self.postMessage(text)
  })
}

const enter = (id: number): void => { Atomics.store(shared, SHARED.current, id) }

function failureOf(error: unknown): Failure {
  if (error instanceof ToolError) return { code: error.code, about: error.about }
  if (error instanceof Cancelled) return { cancelled: true }
  return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

async function run(message: Extract<ToLane, { kind: "call" }>): Promise<void> {
  const { id, op, input, sent, until, progress } = message
  const now = performance.now()
  behind = Math.min(behind, now - sent)
  const call = new LaneCall(id, until === null ? Number.POSITIVE_INFINITY : until + behind - now, progress, post, enter)
  calls.set(id, call)
  enter(id)
  try {
    if (open === undefined) throw new Error("the lane was not opened")
    // The table's rows have types of their own; the main side pairs name and input (directory-lanes.ts).
    const operate = OPERATIONS[op] as (directory: Directory, input: unknown, call: Call) => unknown
    const value = await open.with((directory) => operate(directory, input, call))
    post({ kind: "done", id, value })
  } catch (error) {
    const failure = failureOf(error)
    if ("code" in failure && failure.code === "WORKDIR_UNAVAILABLE") open?.giveUp()
    post({ kind: "failed", id, failure })
  } finally {
    call.end()
    calls.delete(id)
    enter(0)
  }
}

function heed(message: ToLane): void {
  switch (message.kind) {
    case "call": void run(message); return
    case "cancel": calls.get(message.id)?.cancel(); return
    case "granted": calls.get(message.id)?.grant(); return
    case "reopen": open?.giveUp(); return
    case "ping": post({ kind: "pong" }); return
  }
}

self.onmessage = ({ data }: MessageEvent<Opening>): void => {
  shared = data.shared
  open = new OpenDirectory(data.settings)
  Atomics.store(shared, SHARED.started, 1)
  Atomics.notify(shared, SHARED.started)
  self.onmessage = ({ data: text }: MessageEvent<string>): void => (JSON.parse(text) as ToLane[]).forEach(heed)
}
