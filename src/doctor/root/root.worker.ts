/** A thread for one directory: a file system that hangs holds up this thread alone. */
import { examineRoot } from "./examine.ts"
import type { Target } from "./target.ts"

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<Target>) => self.postMessage(examineRoot(data))
