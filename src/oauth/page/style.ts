/** The look of the consent pages. One sheet, inline, allowed by its hash: the page loads nothing and runs nothing. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f3f1ec; --card: #fffefb; --ink: #1d1b18; --soft: #625d55; --line: #d9d4ca; --field: #8a8479;
  --accent: #1f5f4a; --accent-ink: #ffffff; --accent-wash: #e6f0eb;
  --deny: #3a3733; --deny-ink: #ffffff;
  --warn: #7a4a00; --warn-wash: #fdf1dc; --warn-line: #e5c27c;
  --bad: #a3221a; --bad-wash: #fdecea; --bad-line: #e5a9a3;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", "Noto Serif", "DejaVu Serif", Georgia, serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "Noto Sans Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151412; --card: #1e1d1a; --ink: #efece5; --soft: #aaa498; --line: #3a3732; --field: #857f73;
    --accent: #7cc7a8; --accent-ink: #0d2219; --accent-wash: #1d2f28;
    --deny: #dcd7cc; --deny-ink: #1d1b18;
    --warn: #f0c987; --warn-wash: #2e2415; --warn-line: #6b5224;
    --bad: #ffb1a8; --bad-wash: #361b18; --bad-line: #7d3a33;
  }
}
*, *::before, *::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere }
main { max-width: 36rem; margin: 0 auto; padding: clamp(1.25rem, 6vh, 4rem) 1.25rem 3rem }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1rem .1rem; color: var(--soft); font-size: .9375rem }
.brand svg { flex: none; width: 1.375rem; height: 1.375rem; color: var(--accent) }
.brand b { color: var(--ink); font-weight: 600 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.25rem, 5vw, 2.25rem); box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px -16px rgb(0 0 0 / .16) }
h1 { margin: 0; font: 600 clamp(1.5rem, 5.2vw, 1.9rem)/1.22 var(--serif); letter-spacing: -.012em; text-wrap: balance }
p { margin: .75rem 0 0 }
.lead { color: var(--soft) }
.mono { font-family: var(--mono); font-size: .92em }
.tag { display: inline-block; padding: .05rem .5rem; border: 1px solid currentColor; border-radius: 99rem; font-size: .8125rem; line-height: 1.4; color: var(--soft); white-space: nowrap }
.tag.sure { color: var(--accent) }
.tag.unsure { color: var(--warn) }
dl { margin: 1.5rem 0 0; border-top: 1px solid var(--line) }
dl > div { display: grid; grid-template-columns: 9rem 1fr; gap: .1rem 1rem; padding: .8rem 0; border-bottom: 1px solid var(--line) }
dt { color: var(--soft) }
dd { margin: 0 }
dd strong { font-weight: 700 }
dd small { display: block; color: var(--soft); font-size: .875rem }
.note { margin: 1.25rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .625rem; font-size: .9375rem }
.note.warn { color: var(--warn); background: var(--warn-wash); border-color: var(--warn-line) }
.note.bad { color: var(--bad); background: var(--bad-wash); border-color: var(--bad-line) }
.note strong { font-weight: 700 }
form { margin: 1.5rem 0 0 }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0 }
legend, .label { display: block; padding: 0; margin: 0 0 .5rem; font-weight: 600 }
.hint { margin: .5rem 0 0; color: var(--soft); font-size: .875rem }
.options { border: 1px solid var(--line); border-radius: .75rem; overflow: clip }
.option { display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: .1rem .75rem; min-height: 3rem; padding: .6rem .9rem; cursor: pointer }
.option + .option { border-top: 1px solid var(--line) }
.option:hover { background: var(--accent-wash) }
.option:has(:checked) { background: var(--accent-wash) }
.option:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: -3px; border-radius: .7rem }
.option input { width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--accent); outline: none }
.option small { grid-column: 2 / -1; color: var(--soft); font-size: .875rem; line-height: 1.4 }
.lasts { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1px; background: var(--line) }
.lasts .option { grid-template-columns: auto 1fr; border: 0; background: var(--card) }
.lasts .option:hover, .lasts .option:has(:checked) { background: var(--accent-wash) }
.service + .service { border-top: 1px solid var(--line) }
.nested { margin: 0; padding: .6rem .9rem 1rem 2.85rem }
.nested legend { float: left; margin: 0 0 .4rem; font-weight: 400; font-size: .875rem; color: var(--soft) }
.nested .options { clear: both }
.service:has(> .option > input:not(:checked)) > .nested { display: none }
.secret { width: 100%; min-height: 3rem; padding: .6rem .9rem; border: 1px solid var(--field); border-radius: .625rem; background: var(--paper); color: inherit; font: 1.0625rem var(--mono) }
.secret:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; border-color: transparent }
.secret[aria-invalid] { border-color: var(--bad) }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.5rem }
button { min-height: 3.125rem; padding: .6rem 1rem; border: 0; border-radius: .625rem; font: 600 1.0625rem/1.2 var(--sans); cursor: pointer }
.allow { background: var(--accent); color: var(--accent-ink) }
.deny { background: var(--deny); color: var(--deny-ink) }
button:hover { filter: brightness(1.08) }
button:active { filter: brightness(.94) }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
.foot { margin: 1.25rem .25rem 0; color: var(--soft); font-size: .875rem }
@media (max-width: 30rem) {
  main { padding: 1rem .75rem 2rem }
  dl > div { grid-template-columns: 1fr }
  .lasts { grid-template-columns: 1fr 1fr }
  .nested { padding-left: .9rem }
}
@media (forced-colors: active) {
  .option:has(:checked) { outline: 2px solid Highlight; outline-offset: -2px }
  button { border: 1px solid ButtonText }
}
@media (prefers-reduced-motion: no-preference) { button, .option { transition: background-color .12s, filter .12s } }
`
