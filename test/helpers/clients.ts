import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

export interface ToolAnswer {
  readonly content: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}

/** What the tests need of either SDK's real client. */
export interface RealClient extends AsyncDisposable {
  readonly revision: string | undefined
  readonly serverName: string | undefined
  tools(): Promise<string[]>
  call(name: string, args: Record<string, unknown>, onprogress?: (done: number) => void, signal?: AbortSignal): Promise<ToolAnswer>
  read(uri: string): Promise<string>
}

export type Connect = (url: string, token: string) => Promise<RealClient>

const INFO = { name: "test", version: "1" }

const optionsOf = (onprogress?: (done: number) => void, signal?: AbortSignal) => ({
  ...(onprogress === undefined ? {} : { onprogress: ({ progress }: { progress: number }) => onprogress(progress) }),
  ...(signal === undefined ? {} : { signal }),
})

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

const connectLegacy: Connect = async (url, token) => {
  const client = new LegacyClient(INFO)
  const transport = new LegacyTransport(new URL(url), bearer(token))
  // The SDK's own types disagree under exactOptionalPropertyTypes: its transport's sessionId getter may give undefined.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    revision: transport.protocolVersion,
    serverName: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, onprogress, signal) => client.callTool({ name, arguments: args }, undefined, optionsOf(onprogress, signal)) as Promise<ToolAnswer>,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const connectModern =
  (mode: VersionNegotiationMode): Connect =>
  async (url, token) => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode } })
    await client.connect(new ModernTransport(new URL(url), bearer(token)))
    return {
      revision: client.getNegotiatedProtocolVersion(),
      serverName: client.getServerVersion()?.name,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args, onprogress, signal) => client.callTool({ name, arguments: args }, optionsOf(onprogress, signal)),
      read: async (uri) => textOf((await client.readResource({ uri })).contents),
      [Symbol.asyncDispose]: () => client.close(),
    }
  }

function textOf(contents: readonly object[]): string {
  const [first] = contents
  return first !== undefined && "text" in first ? String(first.text) : ""
}

/** Name, how to connect, the revision that must come of it. */
export const CLIENTS: readonly (readonly [name: string, connect: Connect, revision: string])[] = [
  ["@modelcontextprotocol/sdk", connectLegacy, "2025-11-25"],
  ["@modelcontextprotocol/client, legacy", connectModern("legacy"), "2025-11-25"],
  ["@modelcontextprotocol/client, auto", connectModern("auto"), "2026-07-28"],
  ["@modelcontextprotocol/client, pinned", connectModern({ pin: "2026-07-28" }), "2026-07-28"],
]
