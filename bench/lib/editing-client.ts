/** A client that edits one file again and again, each time with the revision that the last edit gave. */
import { Connection } from "./connection.ts"
import { assertGood, structured } from "./load.ts"
import { type Endpoint, toolCall } from "./requests.ts"

export interface Edited {
  readonly workdir: string
  readonly path: string
}

export class EditingClient implements Disposable {
  readonly #connection: Connection
  readonly #endpoint: Endpoint
  readonly #file: Edited
  #revision: string
  #words: readonly [now: string, next: string]

  private constructor(connection: Connection, endpoint: Endpoint, file: Edited, revision: string, words: readonly [string, string]) {
    this.#connection = connection
    this.#endpoint = endpoint
    this.#file = file
    this.#revision = revision
    this.#words = words
  }

  /** @param words the one that is in the file, once, and the one that it is changed to and back */
  static async open(endpoint: Endpoint, file: Edited, revision: string, words: readonly [string, string]): Promise<EditingClient> {
    return new EditingClient(await Connection.open(new URL(endpoint.url)), endpoint, file, revision, words)
  }

  async edit(): Promise<void> {
    const [old_text, new_text] = this.#words
    const args = { ...this.#file, expected_revision: this.#revision, edits: [{ old_text, new_text }] }
    const answer = assertGood(await this.#connection.send(toolCall(this.#endpoint, "legacy", { tool: "edit_text_file", args })))
    this.#revision = String(structured(answer)["revision"])
    this.#words = [new_text, old_text]
  }

  async editUntil(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) await this.edit()
  }

  [Symbol.dispose](): void {
    this.#connection.close()
  }
}
