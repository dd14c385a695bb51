/** The thread that writes the audit. It may block for as long as the reader or the disk likes. */
import { LogFile, type LogFileOptions } from "./log-file.ts"
import { writeAll } from "./write-all.ts"

/** The first message says where lines go; every further one is a batch of whole lines. */
export type SinkTarget = { readonly stderr: true } | { readonly file: LogFileOptions }
export type SinkReply = "written" | { readonly trouble: string }

declare const self: Worker

function reply(message: SinkReply): void {
  self.postMessage(message)
}

function report(trouble: string): void {
  reply({ trouble })
}

function writer(target: SinkTarget): (batch: Uint8Array) => void {
  if ("stderr" in target) return (batch) => writeAll(2, batch, report)
  const file = new LogFile(target.file, report)
  return (batch) => file.append(batch)
}

self.onmessage = (first: MessageEvent<SinkTarget>) => {
  const write = writer(first.data)
  self.onmessage = (message: MessageEvent<string>) => {
    write(Buffer.from(message.data))
    reply("written")
  }
}
