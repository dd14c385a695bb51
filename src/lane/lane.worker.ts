/** The far side of a lane: a thread that belongs to one directory and makes every system call for it. */
import { Cancelled, ToolError } from "../errors.ts"
import { OPERATIONS } from "../operations/index.ts"
import type { Call, Directory, DirectorySettings } from "../operations/operation.ts"
import { LaneCall } from "./lane-call.ts"
import type { Failure, FromLane, ToLane } from "./messages.ts"
import { OpenDirectory } from "./open-directory.ts"

declare const self: Worker

const calls = new Map<number, LaneCall>()
let current: Int32Array = new Int32Array(1)
let open: OpenDirectory | undefined
/** What the main thread's clock is behind this one's: no more than the quickest message so far has shown. */
let behind = Number.POSITIVE_INFINITY

const post = (message: FromLane): void => self.postMessage(message)
const enter = (id: number): void => { Atomics.store(current, 0, id) }

function failureOf(error: unknown): Failure {
  if (error instanceof ToolError) return { code: error.code, about: error.about }
  if (error instanceof Cancelled) return { cancelled: true }
  return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

async function run(message: Extract<ToLane, { kind: "call" }>): Promise<void> {
  const { id, op, input, sent, until, progress } = message
  const now = performance.now()
  behind = Math.min(behind, now - sent)
  const call = new LaneCall(id, until + behind - now, progress, post, enter)
  calls.set(id, call)
  enter(id)
  try {
    if (open === undefined) throw new Error("the lane was not opened")
    // The table's rows have types of their own; the main side pairs name and input (directory-lanes.ts).
    const operate = OPERATIONS[op] as (directory: Directory, input: unknown, call: Call) => unknown
    const value = await open.with((directory) => operate(directory, JSON.parse(input), call))
    post({ kind: "done", id, value: JSON.stringify(value) })
  } catch (error) {
    const failure = failureOf(error)
    if ("code" in failure && failure.code === "WORKDIR_UNAVAILABLE") open?.giveUp()
    post({ kind: "failed", id, failure: JSON.stringify(failure) })
  } finally {
    call.end()
    calls.delete(id)
    enter(0)
  }
}

self.onmessage = ({ data }: MessageEvent<ToLane>): void => {
  switch (data.kind) {
    case "call": void run(data); return
    case "cancel": calls.get(data.id)?.cancel(); return
    case "granted": calls.get(data.id)?.grant(); return
    case "ping": post({ kind: "pong" }); return
    case "open":
      current = new Int32Array(data.current)
      open = new OpenDirectory(JSON.parse(data.settings) as DirectorySettings)
      post({ kind: "opened" })
  }
}
