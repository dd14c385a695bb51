/** What the operator chose on the consent page, read strictly: nothing that was not offered. */
import type { GrantTerms } from "../state/grants.ts"
import type { AuthorizationRequest } from "./authorization-request.ts"
import type { Offer } from "./offers.ts"

const DAY_MS = 24 * 3600 * 1000

/** Shortest first. */
export const LIFETIMES = [
  { id: "1d", label: "1 day", ms: DAY_MS },
  { id: "7d", label: "7 days", ms: 7 * DAY_MS },
  { id: "30d", label: "30 days", ms: 30 * DAY_MS },
  { id: "90d", label: "90 days", ms: 90 * DAY_MS },
  { id: "1y", label: "1 year", ms: 365 * DAY_MS },
  { id: "open", label: "No end", ms: null },
] as const

/** The state of the page's boxes. */
export interface Choice {
  readonly mount: string | null
  readonly workdirs: readonly string[]
  readonly readOnly: boolean
  readonly lasts: string
}

/** The least that can be granted: what there is no choice in, read-only, for the shortest time. */
export function leastChoice(offers: readonly Offer[]): Choice {
  const [only, ...others] = offers
  const single = others.length === 0 ? only : undefined
  const workdirs = single?.workdirs.length === 1 ? single.workdirs : []
  return { mount: single?.mount ?? null, workdirs: workdirs.map(({ alias }) => alias), readOnly: true, lasts: LIFETIMES[0].id }
}

/** What the form says; the mount comes from the request when that named one. */
export function choiceIn(form: URLSearchParams, offers: readonly Offer[]): Choice {
  return {
    mount: offers.length === 1 ? offers[0]?.mount ?? null : form.get("mount"),
    workdirs: form.getAll("workdir"),
    readOnly: form.get("access") !== "read-write",
    lasts: form.get("lasts") ?? "",
  }
}

/** The terms of the grant, or what is still missing, as the page says it. */
export function termsOf(choice: Choice, { asker, offers }: AuthorizationRequest, now: number): GrantTerms | string {
  const offer = offers.find(({ mount }) => mount === choice.mount)
  if (offer === undefined) return "Choose a service."
  const workdirs = offer.workdirs.map(({ alias }) => alias).filter((alias) => choice.workdirs.includes(alias))
  if (workdirs.length === 0 && offer.workdirs.length > 0) return "Choose at least one directory."
  const lifetime = LIFETIMES.find(({ id }) => id === choice.lasts)
  if (lifetime === undefined) return "Choose when it ends."
  return {
    clientId: asker.id,
    clientName: asker.name ?? asker.id,
    mount: offer.mount,
    resource: offer.resource,
    workdirs,
    readOnly: choice.readOnly || !offer.writable,
    expires: lifetime.ms === null ? null : now + lifetime.ms,
  }
}
