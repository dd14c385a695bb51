/**
 * A process of its own that serves a filesystem in memory through /dev/fuse, and misbehaves when it is told to: whoever mounts
 * a filesystem that hangs should not be the one who waits for it.
 */
import { constants, openSync, read, writeSync } from "node:fs"
import { promisify } from "node:util"
import { answer } from "./filesystem.ts"
import { mount } from "./mount.ts"
import { parseRequest, type Request, REQUEST_BYTES, replyTo } from "./protocol.ts"
import type { Behaviour, Planted, Told } from "./hostile-mount.ts"
import { E, Tree } from "./tree.ts"

const { point, files } = await new Promise<Planted>((resolve) => process.once("message", resolve))
const tree = new Tree(files)
const device = openSync("/dev/fuse", constants.O_RDWR)
const held: Request[] = []
let behaviour: Behaviour = {}

/** Whether this request is of the kind that `what` names: an operation, a file's name, or all. */
function concerns({ op, node }: Request, what: readonly string[] | undefined): boolean {
  if (what === undefined || op === null || op === "INIT" || op === "FORGET" || op === "BATCH_FORGET") return false
  return what.includes("*") || what.includes(op) || (op === "READ" && what.some((name) => tree.named(name)?.id === node))
}

function reply(request: Request): void {
  const answered = concerns(request, behaviour.fail) ? E.EIO : answer(tree, request)
  if (answered === null) return
  const short = behaviour.short !== undefined && request.op === "READ" && typeof answered !== "number" ? answered.subarray(0, behaviour.short) : answered
  try {
    writeSync(device, replyTo(request, short))
  } catch {
    // ENOENT: whoever asked was interrupted and has gone.
  }
}

process.on("message", ({ serial, ...told }: Told) => {
  behaviour = told.behaviour
  for (const request of held.splice(0)) {
    if (concerns(request, behaviour.hang)) held.push(request)
    else reply(request)
  }
  process.send?.({ serial })
})

process.on("disconnect", () => process.exit(0))
mount("fuse", point, `fd=${device},rootmode=40777,user_id=0,group_id=0,allow_other,default_permissions`)
const readDevice = promisify(read)
const buffer = new Uint8Array(REQUEST_BYTES)
process.send?.({ serial: 0 })
for (;;) {
  // ENODEV once it is unmounted.
  const { bytesRead } = await readDevice(device, buffer, 0, buffer.length, null).catch(() => process.exit(0))
  const request = parseRequest(buffer.subarray(0, bytesRead))
  if (concerns(request, behaviour.hang)) held.push(request)
  else reply(request)
}
