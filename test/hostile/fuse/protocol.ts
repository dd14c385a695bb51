/** The part of the kernel's FUSE protocol that this filesystem speaks (linux/fuse.h, 7.31). Little-endian, as every machine that Bun runs on. */

export const OP = {
  LOOKUP: 1, FORGET: 2, GETATTR: 3, SETATTR: 4, MKDIR: 9, UNLINK: 10, RMDIR: 11, RENAME: 12, LINK: 13, OPEN: 14, READ: 15, WRITE: 16, STATFS: 17,
  RELEASE: 18, FSYNC: 20, FLUSH: 25, INIT: 26, OPENDIR: 27, READDIR: 28, RELEASEDIR: 29, FSYNCDIR: 30, CREATE: 35, INTERRUPT: 36, BATCH_FORGET: 42,
  RENAME2: 45,
} as const

export type OpName = keyof typeof OP

const NAMES = new Map<number, OpName>(Object.entries(OP).map(([name, code]) => [code, name as OpName]))

/** The largest request is a write of 128 KiB and its headers. */
export const REQUEST_BYTES = 0x21000
export const MAX_WRITE_BYTES = 0x20000
const IN_HEADER_BYTES = 40
const OUT_HEADER_BYTES = 16

export interface Request {
  /** null for what this filesystem does not know. */
  readonly op: OpName | null
  readonly unique: bigint
  readonly node: number
  readonly body: DataView
}

/** The request's own bytes: the buffer may be used again afterwards. */
export function parseRequest(bytes: Uint8Array): Request {
  const copy = Uint8Array.from(bytes)
  const view = new DataView(copy.buffer)
  return {
    op: NAMES.get(view.getUint32(4, true)) ?? null,
    unique: view.getBigUint64(8, true),
    node: Number(view.getBigUint64(16, true)),
    body: new DataView(copy.buffer, IN_HEADER_BYTES),
  }
}

/** NUL-terminated strings from `at` on. */
export function namesAt(body: DataView, at = 0): string[] {
  return new TextDecoder().decode(new Uint8Array(body.buffer, body.byteOffset + at)).split("\0")
}

/** @param answer the body, or an errno */
export function replyTo({ unique }: Request, answer: Uint8Array | number): Uint8Array {
  const body = typeof answer === "number" ? new Uint8Array() : answer
  const header = new DataView(new ArrayBuffer(OUT_HEADER_BYTES))
  header.setUint32(0, OUT_HEADER_BYTES + body.length, true)
  header.setInt32(4, typeof answer === "number" ? -answer : 0, true)
  header.setBigUint64(8, unique, true)
  return Buffer.concat([new Uint8Array(header.buffer), body])
}

type Field = readonly [bits: 16 | 32 | 64, value: number | bigint]

/** A structure of unsigned fields, one after the other. */
export function struct(...fields: readonly Field[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bits]) => sum + bits / 8, 0)))
  let at = 0
  for (const [bits, value] of fields) {
    if (bits === 64) view.setBigUint64(at, BigInt(value), true)
    else if (bits === 32) view.setUint32(at, Number(value), true)
    else view.setUint16(at, Number(value), true)
    at += bits / 8
  }
  return new Uint8Array(view.buffer)
}

/** One entry of a directory, as getdents64 knows it. @param offset where the next one begins */
export function direntOf(ino: number, offset: number, name: string, type: number): Uint8Array {
  const bytes = new TextEncoder().encode(name)
  const padding = new Uint8Array((8 - (bytes.length % 8)) % 8)
  return Buffer.concat([struct([64, ino], [64, offset], [32, bytes.length], [32, type]), bytes, padding])
}
