/** How each client is told about the gateway: the exact snippet, or the steps. From the clients' own documentation. */

/** One mount, as a client's configuration names it. */
export interface Endpoint {
  readonly name: string
  readonly url: string
}

export interface Client {
  /** Where the snippet goes. */
  readonly title: string
  /** Set for clients that can't send a static token: they need the embedded authorization server. */
  readonly oauth?: true
  readonly snippet: (endpoints: readonly Endpoint[], token: string) => string
}

/** One entry for each mount, in the shape that a client's configuration file wants. */
function json(key: string, endpoints: readonly Endpoint[], entry: (url: string) => object): string {
  return JSON.stringify({ [key]: Object.fromEntries(endpoints.map(({ name, url }) => [name, entry(url)])) }, null, 2)
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const lines = (endpoints: readonly Endpoint[], line: (endpoint: Endpoint) => string) => endpoints.map(line).join("\n")
const urls = (endpoints: readonly Endpoint[]) => lines(endpoints, ({ url }) => url)

export const CLIENTS = {
  "claude-code": {
    title: "Claude Code, in a shell, for all your projects:",
    snippet: (endpoints, token) => lines(endpoints, ({ name, url }) => (
      `claude mcp add --scope user --transport http ${name} ${url} --header "Authorization: Bearer ${token}"`
    )),
  },
  claude: {
    title: "Claude (web, desktop, mobile): Settings > Connectors > Add custom connector, with the URL:",
    oauth: true,
    snippet: urls,
  },
  chatgpt: {
    title: "ChatGPT: Settings > Apps > Advanced settings > Developer mode > Create app, authentication OAuth, with the URL:",
    oauth: true,
    snippet: urls,
  },
  cursor: {
    title: "Cursor, in ~/.cursor/mcp.json:",
    snippet: (endpoints, token) => json("mcpServers", endpoints, (url) => ({ url, headers: bearer(token) })),
  },
  vscode: {
    title: "VS Code, in .vscode/mcp.json:",
    snippet: (endpoints, token) => json("servers", endpoints, (url) => ({ type: "http", url, headers: bearer(token) })),
  },
  codex: {
    title: "Codex, in ~/.codex/config.toml (the token goes into the variable MCP_SERVERFS_TOKEN of the environment Codex runs in):",
    snippet: (endpoints) => lines(endpoints, ({ name, url }) => `[mcp_servers.${name}]\nurl = "${url}"\nbearer_token_env_var = "MCP_SERVERFS_TOKEN"`),
  },
  gemini: {
    title: "Gemini CLI, in ~/.gemini/settings.json (it shows the server as disabled in a folder that you have not told it to trust):",
    snippet: (endpoints, token) => json("mcpServers", endpoints, (url) => ({ httpUrl: url, headers: bearer(token) })),
  },
  "mcp-remote": {
    title: "A client that only speaks stdio, through mcp-remote:",
    snippet: (endpoints, token) => json("mcpServers", endpoints, (url) => ({
      command: "npx",
      args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTH_HEADER}"],
      env: { AUTH_HEADER: `Bearer ${token}` },
    })),
  },
  curl: {
    title: "curl, since every tool is plain REST too:",
    snippet: ([first], token) => (
      `curl -s ${first?.url}/list_workdirs -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '{}'`
    ),
  },
  openapi: {
    title: "A client that speaks OpenAPI: fetch this document with the token and import it, with the token as bearer authentication (without SERVERFS_PUBLIC_URL its server is '/': put the gateway's URL there):",
    snippet: (endpoints) => lines(endpoints, ({ url }) => `${url}/openapi.json`),
  },
} as const satisfies Record<string, Client>

export type ClientName = keyof typeof CLIENTS

export function isClient(name: string): name is ClientName {
  return Object.hasOwn(CLIENTS, name)
}

/** Title and snippet, ready to paste. */
export function clientText(name: ClientName, endpoints: readonly Endpoint[], token: string): string {
  const { title, snippet } = CLIENTS[name]
  return `${title}\n\n${snippet(endpoints, token).replace(/^/gm, "  ")}\n`
}
