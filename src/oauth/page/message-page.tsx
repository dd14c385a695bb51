/** @jsxImportSource hono/jsx */
/** A page that only says something: what went wrong, or that nothing was granted. */
import { Frame } from "./frame.tsx"

export interface MessagePageProps {
  readonly host: string
  readonly title: string
  readonly message: string
  readonly advice: string
}

export function MessagePage({ host, title, message, advice }: MessagePageProps) {
  return (
    <Frame title={title} host={host}>
      <h1>{title}</h1>
      <p>{message}</p>
      <p class="lead">{advice}</p>
    </Frame>
  )
}
