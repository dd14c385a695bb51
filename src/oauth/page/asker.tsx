/** @jsxImportSource hono/jsx */
/** Who asks, for what, and where the answer goes: what names can't fake stands out, what anybody can write does not. */
import type { Asker } from "../authorization-request.ts"
import type { Offer } from "../offers.ts"
import type { RedirectTarget } from "../redirect-uri.ts"

export interface AskerProps {
  readonly asker: Asker
  readonly target: RedirectTarget
  readonly offers: readonly Offer[]
}

/** As a headline calls it: by its site where one vouches for it, else by the name that it gave itself. */
export function callName({ name, host }: Asker): string {
  return name === null ? host ?? "An application" : `“${name}”`
}

export function AskerFacts({ asker, target, offers }: AskerProps) {
  const [only] = offers
  return (
    <>
      <dl>
        <div>
          <dt>Who asks</dt>
          <dd>{asker.host === null ? <SelfRegistered name={asker.name} /> : <Described host={asker.host} />}</dd>
        </div>
        <div>
          <dt>Answer goes to</dt>
          <dd><Place target={target} checked={asker.name !== null} /></dd>
        </div>
        {offers.length === 1 && only !== undefined
          ? <div><dt>Asks for</dt><dd>{only.title} <small class="mono">{only.resource}</small></dd></div>
          : null}
      </dl>
      <Warning target={target} />
    </>
  )
}

function Described({ host }: { readonly host: string }) {
  return <><strong>{host}</strong> <span class="tag sure">known by its address</span></>
}

function SelfRegistered({ name }: { readonly name: string | null }) {
  return <>{name} <span class="tag unsure">self-registered, unverified</span> <small>Any program can give itself any name.</small></>
}

function Place({ target, checked }: { readonly target: RedirectTarget; readonly checked: boolean }) {
  const pending = checked ? null : <small>Checked against its own description once you continue.</small>
  if (target.kind === "web") return <><strong>{target.place}</strong>{pending}</>
  if (target.kind === "loopback") return <><strong>{target.place}</strong> <span class="tag unsure">this computer</span>{pending}</>
  return <><strong>{target.place}</strong> <span class="tag unsure">an app on this device</span>{pending}</>
}

function Warning({ target }: { readonly target: RedirectTarget }) {
  if (target.kind === "web") return null
  const whom = target.kind === "loopback"
    ? "a program on the computer that this browser runs on, and nobody can tell which"
    : `whichever app on this device has claimed links that begin with “${target.place}”`
  return <p class="note warn"><strong>Did you start this yourself, just now?</strong> The answer goes to {whom}. If you did not, deny.</p>
}
