/** `serverfs connect CLIENT`: the exact snippet or steps for one client. */
import type { Service } from "../mcp/service.ts"

export interface Gateway {
  /** Where clients reach it, without a trailing slash. */
  readonly base: string
  readonly token: string
  readonly services: readonly Pick<Service, "name" | "mount">[]
}

interface Client {
  readonly title: string
  /** Lines below the title. */
  readonly steps: (gateway: Gateway) => string
}

/** One entry for each mount, in the shape that a client's configuration file wants. */
function servers({ services, base }: Gateway, entry: (url: string) => object): Record<string, object> {
  return Object.fromEntries(services.map(({ name, mount }) => [name, entry(`${base}${mount}`)]))
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const bearer = ({ token }: Gateway) => ({ Authorization: `Bearer ${token}` })
const each = ({ services, base }: Gateway, line: (name: string, url: string) => string): string => (
  services.map(({ name, mount }) => line(name, `${base}${mount}`)).join("\n")
)

export const CLIENTS = {
  "claude-code": {
    title: "Claude Code",
    steps: (gateway) => each(gateway, (name, url) => `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${gateway.token}"`),
  },
  claude: {
    title: "Claude (web, desktop, mobile): Settings → Connectors → Add custom connector, with this URL; it signs in by OAuth",
    steps: (gateway) => each(gateway, (_, url) => url),
  },
  chatgpt: {
    title: "ChatGPT: Settings → Apps → Advanced → Developer mode → Create, with this URL and OAuth",
    steps: (gateway) => each(gateway, (_, url) => url),
  },
  cursor: {
    title: "Cursor: ~/.cursor/mcp.json",
    steps: (gateway) => json({ mcpServers: servers(gateway, (url) => ({ url, headers: bearer(gateway) })) }),
  },
  vscode: {
    title: "VS Code: .vscode/mcp.json",
    steps: (gateway) => json({ servers: servers(gateway, (url) => ({ type: "http", url, headers: bearer(gateway) })) }),
  },
  codex: {
    title: "Codex: ~/.codex/config.toml, with the token in the variable SERVERFS_TOKEN of Codex's environment",
    steps: (gateway) => each(gateway, (name, url) => `[mcp_servers.${name}]\nurl = "${url}"\nbearer_token_env_var = "SERVERFS_TOKEN"`),
  },
  gemini: {
    title: "Gemini CLI: ~/.gemini/settings.json",
    steps: (gateway) => json({ mcpServers: servers(gateway, (url) => ({ httpUrl: url, headers: bearer(gateway) })) }),
  },
  "mcp-remote": {
    title: "Clients that only speak stdio, through mcp-remote",
    steps: (gateway) => json({
      mcpServers: servers(gateway, (url) => ({
        command: "npx",
        args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTH_HEADER}"],
        env: { AUTH_HEADER: `Bearer ${gateway.token}` },
      })),
    }),
  },
  curl: {
    title: "curl (every tool is also plain REST)",
    steps: (gateway) => `curl -s ${gateway.base}${gateway.services[0]?.mount}/list_workdirs -H "Authorization: Bearer ${gateway.token}" -H "Content-Type: application/json" -d '{}'`,
  },
  openapi: {
    title: "Clients that speak OpenAPI: import this document, with the token as bearer authentication",
    steps: (gateway) => each(gateway, (_, url) => `${url}/openapi.json`),
  },
} as const satisfies Record<string, Client>

export type ClientName = keyof typeof CLIENTS

export function isClient(name: string): name is ClientName {
  return Object.hasOwn(CLIENTS, name)
}

/** Title and snippet, ready to paste. */
export function connectText(name: ClientName, gateway: Gateway): string {
  const { title, steps } = CLIENTS[name]
  return `${title}\n\n${steps(gateway).replace(/^/gm, "  ")}`
}
