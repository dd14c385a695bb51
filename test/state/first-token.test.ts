import { describe, expect, test } from "bun:test"
import { ensureFirstToken } from "../../src/state/first-token.ts"
import { openState } from "../../src/state/state.ts"
import { digestOf } from "../../src/state/token-text.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const FIRST_START = { hasCredential: false, renew: false, now: 0 }

describe("ensureFirstToken", () => {
  test("makes one token with full rights, once", () => {
    using state = openState(directory())
    const text = ensureFirstToken(state, FIRST_START) ?? ""
    expect(state.tokens.find(digestOf(text))).toMatchObject({ name: "first", mounts: null, workdirs: null, readOnly: false, expires: null })
    expect(ensureFirstToken(state, FIRST_START)).toBeNull()
  })

  test("makes none where somebody gets in already", () => {
    using state = openState(directory())
    expect(ensureFirstToken(state, { ...FIRST_START, hasCredential: true })).toBeNull()
    state.tokens.create("ci", { mounts: null, workdirs: null, readOnly: true, expires: 1 }, 0)
    expect(ensureFirstToken(state, { ...FIRST_START, now: 2 })).toBeNull()
  })

  test("makes another when the only token was revoked, and none while one that is past its end is left", () => {
    using state = openState(directory())
    ensureFirstToken(state, FIRST_START)
    state.tokens.revoke("first")
    expect(ensureFirstToken(state, FIRST_START)).toStartWith("sfs_")
    state.tokens.revoke("first")
    state.tokens.create("ci", { mounts: null, workdirs: null, readOnly: true, expires: 1 }, 0)
    expect(ensureFirstToken(state, { ...FIRST_START, now: 2 })).toBeNull()
  })

  test("renew replaces a lost one and touches no other", () => {
    using state = openState(directory())
    const lost = ensureFirstToken(state, FIRST_START) ?? ""
    state.tokens.create("ci", { mounts: null, workdirs: null, readOnly: true, expires: null }, 0)
    const text = ensureFirstToken(state, { hasCredential: true, renew: true, now: 1 }) ?? ""
    expect(state.tokens.find(digestOf(lost))).toBeNull()
    expect(state.tokens.find(digestOf(text))).toMatchObject({ name: "first" })
    expect(state.tokens.list().map(({ name }) => name)).toEqual(["ci", "first"])
  })
})
