import { describe, expect, test } from "bun:test"
import { MAX_CLIENTS } from "../../src/state/clients.ts"
import { openState } from "../../src/state/state.ts"
import { BINDING, DAY, TERMS } from "./grant-terms.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const URIS = ["https://client.example.net/callback", "cursor://app/callback"]

describe("Clients", () => {
  test("find() gives what was registered, and null for any other id", () => {
    using state = openState(directory())
    const client = state.clients.register("Cursor", URIS, 5)
    expect(state.clients.find(client.id)).toEqual({ id: client.id, name: "Cursor", redirectUris: URIS, created: 5 })
    expect(state.clients.find("nobody")).toBeNull()
  })

  test("register() forgets what was not used for 90 days, but for a client with a grant", () => {
    using state = openState(directory())
    const [unused, granted, touched] = ["unused", "granted", "touched"].map((name) => state.clients.register(name, URIS, 0).id)
    state.codes.issue({ ...TERMS, clientId: granted ?? "" }, BINDING, 0)
    state.clients.touch(touched ?? "", DAY)
    state.clients.register("new", URIS, 90 * DAY + 1)
    expect([unused, granted, touched].map((id) => state.clients.find(id ?? "") !== null)).toEqual([false, true, true])
  })

  test("register() never keeps more than 1,000, the longest unused going first and one with a grant never", () => {
    using state = openState(directory())
    const [first, granted] = [state.clients.register("first", URIS, 0).id, state.clients.register("granted", URIS, 0).id]
    state.codes.issue({ ...TERMS, clientId: granted }, BINDING, 0)
    for (let i = 2; i < MAX_CLIENTS; i++) state.clients.register(`c${i}`, URIS, i)
    expect(state.clients.find(first)).not.toBeNull()
    const last = state.clients.register("last", URIS, MAX_CLIENTS).id
    expect([first, granted, last].map((id) => state.clients.find(id) !== null)).toEqual([false, true, true])
  })
})
