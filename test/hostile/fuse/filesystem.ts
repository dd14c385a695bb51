/** Answers requests out of a tree. */
import { direntOf, MAX_WRITE_BYTES, namesAt, type OpName, type Request, struct } from "./protocol.ts"
import { E, type Inode, S, touch, type Tree } from "./tree.ts"

/** The body of a reply, an errno, or null where none is due. */
export type Answer = Uint8Array | number | null

/** linux/fuse.h. Every read asks this filesystem, and nothing is remembered by the kernel. */
const FOPEN_DIRECT_IO = 1
/** Lookups in one directory don't wait for each other. */
const FUSE_PARALLEL_DIROPS = 1 << 18
const DT = { DIRECTORY: 4, FILE: 8 } as const
const FATTR = { MODE: 1, SIZE: 8 } as const
const RENAME_NOREPLACE = 1
const ROOT = 1
const BILLION = 1_000_000_000n

type Answerer = (tree: Tree, inode: Inode, body: DataView) => Answer

const done: Answerer = () => new Uint8Array()
const unanswered: Answerer = () => null

export const ANSWERS: Readonly<Record<OpName, Answerer>> = {
  INIT: (_tree, _inode, body) => struct(
    [32, 7], [32, 31], [32, body.getUint32(8, true)], [32, FUSE_PARALLEL_DIROPS], [16, 12], [16, 9], [32, MAX_WRITE_BYTES], [32, 1], [16, 32], [16, 0],
    [64, 0], [64, 0], [64, 0], [64, 0],
  ),
  LOOKUP: (_tree, parent, body) => {
    const found = parent.entries?.get(nameAt(body))
    return found === undefined ? E.ENOENT : entryOut(found)
  },
  GETATTR: (_tree, inode) => attrOut(inode),
  SETATTR: (_tree, inode, body) => {
    const valid = body.getUint32(0, true)
    if ((valid & FATTR.SIZE) !== 0) inode.bytes = resized(inode.bytes, Number(body.getBigUint64(16, true)))
    if ((valid & FATTR.MODE) !== 0) inode.mode = body.getUint32(68, true)
    touch(inode)
    return attrOut(inode)
  },
  MKDIR: (tree, parent, body) => entryOut(tree.create(parent, nameAt(body, 8), S.DIRECTORY | body.getUint32(0, true))),
  CREATE: (tree, parent, body) => Buffer.concat([entryOut(tree.create(parent, nameAt(body, 16), S.FILE | body.getUint32(4, true))), openOut()]),
  LINK: (tree, parent, body) => {
    const inode = tree.get(Number(body.getBigUint64(0, true)))
    if (inode === undefined) return E.ENOENT
    tree.link(parent, nameAt(body, 8), inode)
    return entryOut(inode)
  },
  UNLINK: (tree, parent, body) => {
    tree.unlink(parent, nameAt(body))
    return new Uint8Array()
  },
  RMDIR: (tree, parent, body) => {
    const name = nameAt(body)
    if ((parent.entries?.get(name)?.entries?.size ?? 0) > 0) return E.ENOTEMPTY
    tree.unlink(parent, name)
    return new Uint8Array()
  },
  RENAME: (tree, parent, body) => rename(tree, parent, body, 8, 0),
  RENAME2: (tree, parent, body) => rename(tree, parent, body, 16, body.getUint32(8, true)),
  OPEN: () => openOut(),
  OPENDIR: () => openOut(),
  READ: (_tree, inode, body) => {
    const offset = Number(body.getBigUint64(8, true))
    return inode.bytes.subarray(offset, offset + body.getUint32(16, true))
  },
  WRITE: (_tree, inode, body) => {
    const offset = Number(body.getBigUint64(8, true)), size = body.getUint32(16, true)
    inode.bytes = resized(inode.bytes, Math.max(inode.bytes.length, offset + size))
    inode.bytes.set(new Uint8Array(body.buffer, body.byteOffset + 40, size), offset)
    touch(inode)
    return struct([32, size], [32, 0])
  },
  READDIR: (_tree, inode, body) => {
    const entries = [...inode.entries ?? []].map(([name, { id, entries }], i) => direntOf(id, i + 1, name, entries === null ? DT.FILE : DT.DIRECTORY))
    const room = body.getUint32(16, true)
    let bytes = 0
    return Buffer.concat(entries.slice(Number(body.getBigUint64(8, true))).filter((entry) => (bytes += entry.length) <= room))
  },
  STATFS: () => struct([64, 1 << 20], [64, 1 << 20], [64, 1 << 20], [64, 1 << 20], [64, 1 << 20], [32, 4096], [32, 255], [32, 4096], [32, 0], [64, 0], [64, 0], [64, 0]),
  RELEASE: done,
  RELEASEDIR: done,
  FLUSH: done,
  FSYNC: done,
  FSYNCDIR: done,
  FORGET: unanswered,
  BATCH_FORGET: unanswered,
  INTERRUPT: unanswered,
}

export function answer(tree: Tree, { op, node, body }: Request): Answer {
  if (op === null) return E.ENOSYS
  // Requests about no inode in particular say 0.
  const inode = tree.get(node === 0 ? ROOT : node)
  return inode === undefined ? E.ESTALE : ANSWERS[op](tree, inode, body)
}

function rename(tree: Tree, parent: Inode, body: DataView, namesStart: number, flags: number): Answer {
  const target = tree.get(Number(body.getBigUint64(0, true)))
  const [from = "", to = ""] = namesAt(body, namesStart)
  const moved = parent.entries?.get(from)
  if (target === undefined || moved === undefined) return E.ENOENT
  if ((flags & ~RENAME_NOREPLACE) !== 0) return E.EINVAL
  if (flags === RENAME_NOREPLACE && target.entries?.has(to)) return E.EEXIST
  tree.unlink(target, to)
  tree.link(target, to, moved)
  tree.unlink(parent, from)
  return new Uint8Array()
}

function nameAt(body: DataView, at = 0): string {
  return namesAt(body, at)[0] ?? ""
}

function resized(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes.subarray(0, length), Buffer.alloc(Math.max(0, length - bytes.length))])
}

/** Valid for no time at all. */
function entryOut(inode: Inode): Uint8Array {
  return Buffer.concat([struct([64, inode.id], [64, 0], [64, 0], [64, 0], [32, 0], [32, 0]), attr(inode)])
}

function attrOut(inode: Inode): Uint8Array {
  return Buffer.concat([struct([64, 0], [32, 0], [32, 0]), attr(inode)])
}

function attr({ id, mode, bytes, links, changed }: Inode): Uint8Array {
  const seconds = changed / BILLION, ns = changed % BILLION
  return struct(
    [64, id], [64, bytes.length], [64, Math.ceil(bytes.length / 512)], [64, seconds], [64, seconds], [64, seconds], [32, ns], [32, ns], [32, ns],
    [32, mode], [32, links], [32, 0], [32, 0], [32, 0], [32, 4096], [32, 0],
  )
}

function openOut(): Uint8Array {
  return struct([64, 0], [32, FOPEN_DIRECT_IO], [32, 0])
}
