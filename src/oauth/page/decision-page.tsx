/** @jsxImportSource hono/jsx */
/** Second page: how far may it go? The least comes first and is chosen until somebody chooses more. */
import { type Choice, LIFETIMES } from "../terms.ts"
import type { Offer } from "../offers.ts"
import { AskerFacts, type AskerProps, callName } from "./asker.tsx"
import { Frame } from "./frame.tsx"

export interface DecisionPageProps extends AskerProps {
  readonly host: string
  readonly id: string
  /** What is chosen as the page opens. */
  readonly choice: Choice
  readonly problem: string | null
}

export function DecisionPage({ host, id, asker, target, offers, choice, problem }: DecisionPageProps) {
  return (
    <Frame title="Choose what to allow" host={host} foot="You can take this back at any time with ‘serverfs grants revoke’. Access that nobody uses for 30 days ends by itself.">
      <h1>What may {callName(asker)} do?</h1>
      <AskerFacts asker={asker} target={target} offers={offers} />
      {problem === null ? null : <p class="note bad" role="alert">{problem}</p>}
      <form method="post" action="/authorize/decision">
        <input type="hidden" name="request" value={id} />
        {offers.length > 1 ? <Services offers={offers} choice={choice} /> : offers.map((offer) => <Workdirs offer={offer} choice={choice} />)}
        <Access offers={offers} choice={choice} />
        <Lifetime choice={choice} />
        <div class="actions">
          <button class="deny" name="decision" value="deny">Deny</button>
          <button class="allow" name="decision" value="allow">Allow</button>
        </div>
      </form>
    </Frame>
  )
}

interface Part {
  readonly choice: Choice
}

function Services({ offers, choice }: Part & { readonly offers: readonly Offer[] }) {
  return (
    <fieldset>
      <legend>Service</legend>
      <div class="options">
        {offers.map((offer) => (
          <div class="service">
            <label class="option">
              <input type="radio" name="mount" value={offer.mount} checked={choice.mount === offer.mount} required />
              <span>{offer.title}</span>
              <small class="mono">{offer.resource}</small>
            </label>
            <Workdirs offer={offer} choice={choice} nested />
          </div>
        ))}
      </div>
      <p class="hint">The application did not say which one it wants.</p>
    </fieldset>
  )
}

function Workdirs({ offer, choice, nested }: Part & { readonly offer: Offer; readonly nested?: true }) {
  if (offer.workdirs.length === 0) return null
  return (
    <fieldset class={nested ? "nested" : ""}>
      <legend>Directories</legend>
      <div class="options">
        {offer.workdirs.map(({ alias, description, readOnly }) => (
          <label class="option">
            <input type="checkbox" name="workdir" value={alias} checked={choice.workdirs.includes(alias)} />
            <span class="mono">{alias}</span>
            {readOnly ? <span class="tag">read-only</span> : <span />}
            {description === null ? null : <small>{description}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Access({ offers, choice }: Part & { readonly offers: readonly Offer[] }) {
  return (
    <fieldset>
      <legend>Access</legend>
      <div class="options">
        <label class="option">
          <input type="radio" name="access" value="read-only" checked={choice.readOnly} required />
          <span>Read only</span>
          <small>List, read and search.</small>
        </label>
        {offers.some(({ writable }) => writable)
          ? (
            <label class="option">
              <input type="radio" name="access" value="read-write" checked={!choice.readOnly} required />
              <span>Read and write</span>
              <small>Create, change and delete too, wherever the gateway’s configuration lets anybody write.</small>
            </label>
          )
          : null}
      </div>
    </fieldset>
  )
}

function Lifetime({ choice }: Part) {
  return (
    <fieldset>
      <legend>Ends after</legend>
      <div class="options lasts">
        {LIFETIMES.map(({ id, label }) => (
          <label class="option">
            <input type="radio" name="lasts" value={id} checked={choice.lasts === id} required />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
