/** @jsxImportSource hono/jsx */
/** What every page of the authorization server has around it. */
import type { Child } from "hono/jsx"
import { STYLE } from "./style.ts"

export interface FrameProps {
  readonly title: string
  /** The gateway's own public host: what the address bar should say too. */
  readonly host: string
  readonly foot?: string
  readonly children: Child
}

export function Frame({ title, host, foot, children }: FrameProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${host}`}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <p class="brand">
            <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" aria-hidden="true">
              <path d="M3 6.5A1.5 1.5 0 0 1 4.500 5h4.700l2 2.500h8.300A1.500 1.500 0 0 1 21 9v9.500a1.500 1.500 0 0 1-1.500 1.500h-15A1.500 1.500 0 0 1 3 18.500z" />
              <path d="M12 11.500a1.700 1.700 0 0 1 .8 3.200v1.800h-1.600v-1.800a1.700 1.700 0 0 1 .8-3.200z" fill="currentColor" stroke="none" />
            </svg>
            <span><b>{host}</b> · serverfs</span>
          </p>
          <div class="card">{children}</div>
          {foot === undefined ? null : <p class="foot">{foot}</p>}
        </main>
      </body>
    </html>
  )
}
