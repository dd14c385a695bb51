/** @jsxImportSource hono/jsx */
/** First page: who is asking, and is it the operator who sits here? */
import { AskerFacts, type AskerProps, callName } from "./asker.tsx"
import { Frame } from "./frame.tsx"

export interface SecretPageProps extends AskerProps {
  readonly host: string
  /** Of the waiting request, for the form. */
  readonly id: string
  readonly problem: string | null
}

export function SecretPage({ host, id, asker, target, offers, problem }: SecretPageProps) {
  return (
    <Frame title="Access asked for" host={host} foot="Nothing is granted on this page: what the application may do is chosen on the next.">
      <h1>{callName(asker)} asks for access to this gateway</h1>
      <AskerFacts asker={asker} target={target} offers={offers} />
      <form id="deny" method="post" action="/authorize/secret" hidden>
        <input type="hidden" name="request" value={id} />
      </form>
      <form method="post" action="/authorize/secret">
        <input type="hidden" name="request" value={id} />
        <input type="text" name="username" value="operator" autocomplete="username" hidden />
        <label class="label" for="secret">Operator secret</label>
        <input
          class="secret"
          id="secret"
          name="secret"
          type="password"
          autocomplete="current-password"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus
          aria-describedby="secret-hint"
          {...(problem === null ? {} : { "aria-invalid": "true" })}
        />
        {problem === null ? null : <p class="note bad" role="alert">{problem}</p>}
        <p class="hint" id="secret-hint">The one that was set with <span class="mono">serverfs operator-secret</span>. It goes to {host} only.</p>
        <div class="actions">
          <button class="deny" form="deny" name="decision" value="deny">Deny</button>
          <button class="allow" name="decision" value="continue">Continue</button>
        </div>
      </form>
    </Frame>
  )
}
