/** The resource channel: `serverfs://{workdir}/{+path}`, a text file whole or not at all. */
import { ToolError } from "../../errors.ts"
import type { ResourceChannel } from "../../mcp/service.ts"
import { readPage } from "./read-page.ts"
import type { Registry } from "./registry.ts"

const SCHEME = "serverfs://"

/** Alias and path, percent-decoded once. Throws INVALID_ARGUMENTS. */
function parse(uri: string): { workdir: string; path: string } {
  const slash = uri.indexOf("/", SCHEME.length)
  if (!uri.startsWith(SCHEME) || slash < 0) {
    throw new ToolError("INVALID_ARGUMENTS", { detail: "a resource is named serverfs://{workdir}/{path}" })
  }
  try {
    return { workdir: decodeURIComponent(uri.slice(SCHEME.length, slash)), path: decodeURIComponent(uri.slice(slash + 1)) }
  } catch {
    throw new ToolError("INVALID_ARGUMENTS", { detail: "the resource's name is not valid percent-encoded UTF-8" })
  }
}

export function createResources(registry: Registry): ResourceChannel {
  return {
    uriTemplate: "serverfs://{workdir}/{+path}",
    name: "file",
    description: "A text file of a workdir, whole; read_text_file pages through what is too large",
    mimeType: "text/plain",
    parse(uri) {
      const { workdir: alias, path } = parse(uri)
      return {
        subject: { workdir: alias, path },
        async read(context) {
          const { workdir } = registry.find(alias, context.principal)
          const page = await readPage(workdir, path, { line: 1 }, workdir.limits.maxReadLines, context).catch(tooLarge)
          if (page.has_more) throw new ToolError("RESOURCE_TOO_LARGE", { path })
          const { bytes_returned, start_line, end_line, has_more, revision } = page
          return { text: page.content.decode(), counters: { bytes_returned, start_line, end_line, has_more, revision } }
        },
      }
    },
  }
}

/** A first line that no page can hold means here that the file does not fit. */
function tooLarge(error: unknown): never {
  if (error instanceof ToolError && error.code === "LINE_TOO_LARGE") throw new ToolError("RESOURCE_TOO_LARGE", error.about.path === undefined ? {} : { path: error.about.path })
  throw error
}
