/** A filesystem in memory: inodes, names, bytes. What is refused is an errno. */
import { constants } from "node:os"

export const E = constants.errno
export const S = { DIRECTORY: 0o040000, FILE: 0o100000 } as const

export interface Inode {
  readonly id: number
  mode: number
  /** Entries by name; null for a file. */
  readonly entries: Map<string, Inode> | null
  bytes: Buffer
  links: number
  changed: bigint
}

export class Tree {
  readonly #inodes = new Map<number, Inode>()
  #lastId = 0

  /** @param files contents by path */
  constructor(files: Readonly<Record<string, string>>) {
    const root = this.#make(S.DIRECTORY | 0o777)
    for (const [path, text] of Object.entries(files)) {
      const names = path.split("/")
      const leaf = names.pop() ?? ""
      let at = root
      for (const name of names) at = at.entries?.get(name) ?? this.create(at, name, S.DIRECTORY | 0o777)
      this.create(at, leaf, S.FILE | 0o666).bytes = Buffer.from(text)
    }
  }

  /** Undefined once nothing leads to it. */
  get(id: number): Inode | undefined {
    return this.#inodes.get(id)
  }

  /** The first of this name, wherever it is. */
  named(name: string): Inode | undefined {
    for (const { entries } of this.#inodes.values()) {
      const found = entries?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  create(parent: Inode, name: string, mode: number): Inode {
    const inode = this.#make(mode)
    this.link(parent, name, inode)
    return inode
  }

  link(parent: Inode, name: string, inode: Inode): void {
    inode.links++
    parent.entries?.set(name, inode)
    touch(parent)
    touch(inode)
  }

  unlink(parent: Inode, name: string): void {
    const inode = parent.entries?.get(name)
    if (inode === undefined) return
    inode.links--
    parent.entries?.delete(name)
    touch(parent)
    touch(inode)
  }

  #make(mode: number): Inode {
    const directory = (mode & S.DIRECTORY) !== 0
    const inode: Inode = { id: ++this.#lastId, mode, entries: directory ? new Map() : null, bytes: Buffer.alloc(0), links: directory ? 1 : 0, changed: 0n }
    this.#inodes.set(inode.id, inode)
    touch(inode)
    return inode
  }
}

/** Nanoseconds that only grow, so that every change is one that shows. */
export function touch(inode: Inode): void {
  const now = BigInt(Date.now()) * 1_000_000n
  inode.changed = now > inode.changed ? now : inode.changed + 1n
}
