/** From ripgrep's proposals to matches: the policy asked again, the file opened by the walker, the text read from it. */
import { type OpenFile, openRegular, readAt } from "../../fs/file.ts"
import type { Proposal } from "../../search/parse.ts"
import type { Admitted } from "../../workdir/policy.ts"
import type { Directory } from "../operation.ts"
import { admitWalked, leaveOut } from "../walked.ts"
import { BLOCK_BYTES, type Breathe, LineFile } from "./line-file.ts"
import type { NeedleFor } from "./needle.ts"
import { type MatchText, readMatch } from "./read-match.ts"

export interface SearchMatch extends MatchText {
  /** Relative to the root. */
  readonly path: string
  readonly line: number
}

/** A NUL this early makes a file binary, as for read_text_file. */
const BINARY_PROBE_BYTES = 1024

interface Current {
  readonly proposed: string
  readonly at: Admitted
  readonly file: OpenFile
  readonly lines: LineFile
}

export class ProposalReader implements Disposable {
  readonly #directory: Directory
  readonly #start: Admitted
  readonly #contextLines: number
  readonly #needleFor: NeedleFor
  readonly #breathe: Breathe
  readonly #block = new Uint8Array(BLOCK_BYTES)
  /** Proposals of one file follow each other, so one file is open at a time. */
  #current: Current | null = null
  /** The last path that cannot be shown. */
  #refused: string | null = null

  constructor(directory: Directory, start: Admitted, contextLines: number, needleFor: NeedleFor, breathe: Breathe) {
    this.#directory = directory
    this.#start = start
    this.#contextLines = contextLines
    this.#needleFor = needleFor
    this.#breathe = breathe
  }

  /** null when there is nothing (any more) that may be shown. Throws RESOURCE_EXHAUSTED, and WORKDIR_UNAVAILABLE when the root has gone. */
  async read({ path, line, offset }: Proposal): Promise<SearchMatch | null> {
    await this.#breathe()
    if (path === this.#refused) return null
    if (this.#current?.proposed !== path) this.#open(path)
    if (this.#current === null) return null
    const { at, lines } = this.#current
    try {
      const text = await readMatch(lines, offset, this.#contextLines, this.#needleFor())
      return text === null ? null : { path: at.text, line, ...text }
    } catch (error) {
      leaveOut(error, this.#directory.root)
      return null
    }
  }

  #open(proposed: string): void {
    this[Symbol.dispose]()
    try {
      // From the root again, not from the searched directory: that may have been moved meanwhile.
      const at = admitWalked(this.#directory.policy, [...this.#start.components, proposed].join("/"))
      using entry = this.#directory.root.entry(at)
      using stack = new DisposableStack()
      const file = stack.use(openRegular(entry, at.text))
      if (isBinary(file, at.text)) return
      this.#current = { proposed, at, file, lines: new LineFile({ fd: file.fd, size: Number(file.stat.size), given: at.text }, this.#block, this.#breathe) }
      stack.move()
    } catch (error) {
      leaveOut(error, this.#directory.root)
    } finally {
      this.#refused = this.#current === null ? proposed : null
    }
  }

  [Symbol.dispose](): void {
    this.#current?.file[Symbol.dispose]()
    this.#current = null
  }
}

function isBinary(file: OpenFile, given: string): boolean {
  const head = new Uint8Array(BINARY_PROBE_BYTES)
  return head.subarray(0, readAt(file.fd, head, 0, given)).includes(0)
}
