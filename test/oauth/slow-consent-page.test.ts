/** The consent pages in a real browser: that the policy lets through what must get through, stops what must be stopped, and all can be read. */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { openCallback } from "./callback.ts"
import { Chromium } from "./chromium.ts"
import { type OauthFixture, oauthFixture, SECRET } from "./fixture-oauth.ts"
import { asked, registered } from "./operator.ts"

// When a test times out, Bun ends the browser that the others need.
setDefaultTimeout(60_000)

const PHONE = { width: 320, height: 640, dark: false, touch: true }
const DESK = { width: 1280, height: 900, dark: false, touch: false }

let browser: Chromium
let gateway: OauthFixture
let clientId: string
beforeAll(async () => {
  browser = await Chromium.start()
  gateway = await oauthFixture()
  clientId = await registered(gateway, { client_name: "A client with quite a long name, as they come", redirect_uris: ["http://127.0.0.1/callback", "http://[::1]/callback", "cursor://app/callback"] })
})
beforeEach(async () => {
  gateway.edge.clientAddress = `198.51.100.${Math.floor(Math.random() * 250)}`
  browser.log.length = 0
  await browser.newTab()
  await browser.send("Emulation.setScriptExecutionDisabled", { value: false })
  await browser.look(DESK)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await gateway?.[Symbol.asyncDispose]()
})

const ask = (redirect_uri: string, changes: Record<string, string | null> = {}) => asked(gateway, clientId, { redirect_uri, ...changes }).url

async function unlock(url: string): Promise<void> {
  await browser.open(url)
  await browser.fill("#secret", SECRET)
  browser.press("Enter", 13, "\r")
  await browser.until("document.querySelector('[name=access]') !== null")
}

describe("in Chromium", () => {
  test("the whole conversation works without any script, down to a loopback redirect", async () => {
    using callback = openCallback()
    await browser.send("Emulation.setScriptExecutionDisabled", { value: true })
    await unlock(ask(callback.url))
    await browser.choose("[name=workdir][value=ro]")
    await browser.choose("[name=access][value=read-write]")
    await browser.click(".allow")
    const answer = await callback.answer
    expect([answer.get("state"), answer.get("code")?.slice(0, 4)]).toEqual(["the state", "sfc_"])
    expect(gateway.state.grants.list(Date.now()).at(-1)).toMatchObject({ workdirs: ["ro"], readOnly: false })
    expect(browser.log.filter((line) => /Content Security Policy|Refused/.test(line))).toEqual([])
  })

  test("the client learns nothing of our pages by a referrer", async () => {
    let referrer: string | null = "none came"
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        if (request.url.includes("/callback")) referrer = request.headers.get("referer")
        return new Response("You can close this page.")
      },
    })
    await unlock(ask(`http://127.0.0.1:${server.port}/callback`))
    await browser.choose("[name=workdir][value=ro]")
    await browser.click(".allow")
    await browser.until("document.body.textContent.includes('You can close')")
    expect(referrer).toBeNull()
  })

  test("the policy lets the answer leave for an IPv6 loopback and for an app", async () => {
    for (const redirect of ["http://[::1]:9/callback", "cursor://app/callback"]) {
      await unlock(ask(redirect))
      await browser.click(".deny")
      await Bun.sleep(300)
    }
    expect(browser.log.filter((line) => /Content Security Policy|Refused/.test(line))).toEqual([])
  })

  test("denying sends access_denied", async () => {
    using callback = openCallback()
    await unlock(ask(callback.url))
    await browser.click(".deny")
    expect((await callback.answer).get("error")).toBe("access_denied")
  })

  test("Enter on the choices denies: nobody allows by mistake", async () => {
    using callback = openCallback()
    await unlock(ask(callback.url))
    await browser.choose("[name=workdir][value=ro]")
    browser.press("Enter", 13, "\r")
    expect((await callback.answer).get("error")).toBe("access_denied")
  })

  test("the secret can be typed at once, and is hidden", async () => {
    await browser.open(ask("cursor://app/callback"))
    await browser.until("document.activeElement.id === 'secret'")
    expect(await browser.value("document.activeElement.type")).toBe("password")
  })

  test("a page of a foreign site can't frame it", async () => {
    const target = ask("cursor://app/callback")
    using evil = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`<iframe src="${target.replaceAll("&", "&amp;")}"></iframe>`, { headers: { "Content-Type": "text/html" } }) })
    await browser.open(evil.url.href)
    await Bun.sleep(500)
    expect(browser.log.join("\n")).toContain("frame-ancestors 'none'")
  })

  test("a form on a foreign site gets nowhere, with the operator's cookie in the browser", async () => {
    await unlock(ask("cursor://app/callback"))
    const id = await browser.value<string>("document.querySelector('[name=request]').value")
    const before = gateway.state.grants.list(Date.now()).length
    const form = `<form method="post" action="${gateway.url}/authorize/decision"><input name="request" value="${id}"><input name="workdir" value="main"><input name="lasts" value="open"><button name="decision" value="allow">Win a prize</button></form>`
    using evil = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(form, { headers: { "Content-Type": "text/html" } }) })
    await browser.open(evil.url.href)
    await browser.click("button")
    await browser.until("location.pathname === '/authorize/decision' && document.readyState === 'complete'")
    expect(await browser.value("document.body.textContent")).toContain("origin_not_allowed")
    expect(gateway.state.grants.list(Date.now())).toHaveLength(before)
  })
})

/** The lowest contrast (WCAG 2) of any text on the page against what is behind it. */
const LOWEST_CONTRAST = `(() => {
  const channel = (value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const parse = (color) => color.match(/[\\d.]+/g).map(Number)
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor)
      if (color[3] === undefined || color[3] > 0) return color
    }
    return [255, 255, 255]
  }
  let lowest = 21
  for (const element of document.querySelectorAll("body *")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) continue
    if (element.closest("[hidden]") || element.getClientRects().length === 0) continue
    const [one, other] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))]
    lowest = Math.min(lowest, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05))
  }
  return lowest
})()`

describe.each([["light", false], ["dark", true]])("legibility, %s", (_name, dark) => {
  test("every text has a contrast of 4.5 at least, on each page", async () => {
    await browser.look({ ...DESK, dark })
    const contrasts: number[] = []
    await browser.open(ask("http://127.0.0.1/callback", { resource: null }))
    contrasts.push(await browser.value(LOWEST_CONTRAST))
    await browser.fill("#secret", "wrong")
    browser.press("Enter", 13, "\r")
    await browser.until("document.querySelector('.bad') !== null")
    contrasts.push(await browser.value(LOWEST_CONTRAST))
    await browser.fill("#secret", SECRET)
    browser.press("Enter", 13, "\r")
    await browser.until("document.querySelector('[name=access]') !== null")
    await browser.choose("[name=mount]")
    contrasts.push(await browser.value(LOWEST_CONTRAST))
    await browser.open(asked(gateway, "nobody").url)
    contrasts.push(await browser.value(LOWEST_CONTRAST))
    expect(contrasts).toHaveLength(4)
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
  })
})

describe("on a phone of 320 pixels", () => {
  test("nothing sticks out, and all that is touched is 44 pixels high", async () => {
    await browser.look(PHONE)
    const fits = "document.documentElement.scrollWidth <= innerWidth"
    const small = "[...document.querySelectorAll('button, label.option, .secret')].filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 44).length"
    await browser.open(ask("http://127.0.0.1/callback", { resource: null }))
    expect([await browser.value(fits), await browser.value(small)]).toEqual([true, 0])
    await unlock(ask("http://127.0.0.1/callback", { resource: null }))
    await browser.choose("[name=mount]")
    expect([await browser.value(fits), await browser.value(small)]).toEqual([true, 0])
  })

  test("the directories of a service show once it is chosen", async () => {
    await unlock(ask("http://127.0.0.1/callback", { resource: null }))
    const shown = "[...document.querySelectorAll('.nested')].map((each) => each.getClientRects().length > 0)"
    expect(await browser.value<boolean[]>(shown)).toEqual([false, false])
    await browser.choose("[name=mount][value='/other']")
    expect(await browser.value<boolean[]>(shown)).toEqual([false, true])
  })

  test("deny is as large as allow", async () => {
    await unlock(ask("http://127.0.0.1/callback"))
    const size = (selector: string) => browser.value(`(({ width, height }) => [width, height])(document.querySelector("${selector}").getBoundingClientRect())`)
    expect(await size(".deny")).toEqual(await size(".allow"))
  })
})
