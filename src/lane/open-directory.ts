/** A lane's hold on its directory: opened on demand, given up after WORKDIR_UNAVAILABLE, closed when nobody uses it. */
import { Root } from "../fs/root.ts"
import type { Directory, DirectorySettings } from "../operations/operation.ts"
import { Policy } from "../workdir/policy.ts"

interface Held {
  readonly directory: Directory
  users: number
  stale: boolean
}

export class OpenDirectory {
  readonly #settings: DirectorySettings
  readonly #policy: Policy
  #held: Held | null = null

  constructor(settings: DirectorySettings) {
    this.#settings = settings
    this.#policy = new Policy(settings.policy)
  }

  /** Runs `use` with the open directory. Throws WORKDIR_UNAVAILABLE when it cannot be opened. */
  async with<T>(use: (directory: Directory) => T | Promise<T>): Promise<T> {
    const held = (this.#held ??= this.#open())
    held.users++
    try {
      return await use(held.directory)
    } finally {
      held.users--
      // Another call may still hold descriptors that stand on this root: the last one out closes it.
      if (held.stale && held.users === 0) held.directory.root[Symbol.dispose]()
    }
  }

  /** The next call opens the path anew. */
  giveUp(): void {
    if (this.#held === null) return
    this.#held.stale = true
    if (this.#held.users === 0) this.#held.directory.root[Symbol.dispose]()
    this.#held = null
  }

  #open(): Held {
    const directory = { root: Root.open(this.#settings.root), policy: this.#policy, settings: this.#settings }
    return { directory, users: 0, stale: false }
  }
}
