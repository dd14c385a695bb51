/** The thread that reads the configuration. */
import { loadConfig, type Sources } from "./load.ts"
import type { FromLoader } from "./load-in-time.ts"

declare const self: Worker

const post = (message: FromLoader): void => self.postMessage(message)

self.onmessage = ({ data }: MessageEvent<Sources>) => {
  post({ loaded: loadConfig({ ...data, watch: (by, path) => post({ by, path }) }) })
}
