import { describe, expect, test } from "bun:test"
import { oauthFixture } from "./fixture-oauth.ts"
import { asked, Operator, registered } from "./operator.ts"

describe("brute force on the secret", () => {
  test("a source is locked out after five, also with the right secret, and everybody is slowed down after ten", async () => {
    await using one = await oauthFixture()
    const operator = new Operator(one)
    const page = await operator.open(asked(one, await registered(one)).url)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await operator.unlock(page, `guess ${i}`)).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
    const locked = await operator.unlock(page)
    expect([locked.status, Number(locked.headers.get("retry-after")) > 30]).toEqual([429, true])
    expect(locked.text).toContain("Too many wrong secrets. Try again in")

    one.edge.clientAddress = "203.0.113.77"
    expect((await operator.unlock(await operator.open(asked(one, await registered(one)).url))).status).toBe(200)

    for (let i = 0; i < 8; i++) {
      one.edge.clientAddress = `203.0.113.${i}`
      statuses.push((await operator.unlock(page, `guess ${i}`)).status)
    }
    expect(statuses.slice(-8)).toEqual([403, 403, 403, 403, 403, 429, 429, 429])
    expect(one.audit.events.filter(({ name }) => name === "oauth_secret_failed")).toHaveLength(10)
  }, 60_000)

  test("guesses at the same time are no way round it", async () => {
    await using one = await oauthFixture()
    const operator = new Operator(one)
    const page = await operator.open(asked(one, await registered(one)).url)
    const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => operator.unlock(page, `guess ${i}`)))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5)
  }, 60_000)
})
