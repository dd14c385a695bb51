/** The README's tables, made from the code. `bun run readme` writes them; test/readme.test.ts fails when they differ. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { COMMANDS } from "../src/cli/command-table.ts"
import { CLIENTS, type ClientName, clientText } from "../src/cli/commands/clients.ts"
import { type Option, OPTIONS } from "../src/cli/options.ts"
import { loadConfig } from "../src/config/load.ts"
import { SLOT_VARIABLES, type Variable, VARIABLES } from "../src/config/variables/variables.ts"
import { ERRORS } from "../src/errors.ts"
import { EDGE_ERRORS } from "../src/http/refusal.ts"
import { Lanes } from "../src/lane/lanes.ts"
import type { Service } from "../src/mcp/service.ts"
import { openServices } from "../src/services/index.ts"
import { LIMIT_ROWS } from "./limits.ts"

const README = join(import.meta.dir, "..", "README.md")

/** Both services as a default configuration opens them. No thread is started. */
function defaultServices(): Service[] {
  const root = mkdtempSync(join(tmpdir(), "serverfs-readme-"))
  const env = { FILES_MCP_ROOT: root, SERVERFS_STATE_DIR: join(tmpdir(), "serverfs-readme-state") }
  const options = { dirs: [], envFile: null, host: null, port: null }
  const loaded = loadConfig({ env, options, needsDirectory: true, cwd: root, home: "/nonexistent", program: import.meta.dir })
  rmSync(root, { recursive: true })
  if (!loaded.ok) throw new Error(loaded.faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"))
  const lanes = new Lanes(() => {}, "")
  const services = openServices(loaded.config, lanes)
  lanes.close()
  return services
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}

const code = (text: string) => (text === "" ? "" : `\`${text}\``)

function variables(prefix: string, entries: Readonly<Record<string, Variable<unknown>>>): string {
  const rows = Object.entries(entries).map(([name, { default: value, meaning }]) => [code(prefix + name), code(value), meaning])
  return table(["variable", "default", "meaning"], rows)
}

function tools({ tools: list }: Service): string {
  const rows = list.map(({ name, access, inputSchema, description }) => {
    const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: readonly string[] }
    const names = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`))
    return [code(name), access === "write" ? "changes" : "reads", names.join(", "), description]
  })
  return table(["tool", "", "arguments", "what it does"], rows)
}

function errors(): string {
  const rows = Object.entries(ERRORS).map(([name, row]) => {
    const advice = "advice" in row ? row.advice : ""
    return [code(name), String(row.status), row.sentence, advice]
  })
  return table(["code", "REST status", "meaning", "what to do"], rows)
}

function refusals(): string {
  return table(["code", "status", "meaning"], Object.entries(EDGE_ERRORS).map(([name, { status, sentence }]) => [code(name), String(status), sentence]))
}

/** What each snippet is written in, for its fence. A shell's are commands, which tests have to account for. */
const LANGUAGES: Readonly<Record<ClientName, "sh" | "json" | "toml" | "text">> = {
  "claude-code": "sh", claude: "text", chatgpt: "text", cursor: "json", vscode: "json", codex: "toml", gemini: "json", "mcp-remote": "json", curl: "sh", openapi: "text",
}

function clients(): string {
  const endpoints = [{ name: "serverfs", url: "http://127.0.0.1:8000/mcp" }]
  return (Object.keys(CLIENTS) as ClientName[]).map((name) => {
    const [title = "", ...snippet] = clientText(name, endpoints, "YOUR_TOKEN").trimEnd().split("\n")
    return `**${code(name)}**: ${title}\n\n\`\`\`${LANGUAGES[name]}\n${snippet.slice(1).map((each) => each.slice(2)).join("\n")}\n\`\`\``
  }).join("\n\n")
}

function options(): string {
  const rows = Object.entries<Option>(OPTIONS).map(([name, { short, value, meaning }]) => (
    [code(`--${name}${value ? ` ${value}` : ""}${short ? `, -${short}` : ""}`), meaning]
  ))
  return table(["option", "what it does"], rows)
}

/** By the name between the markers `<!-- table: NAME -->` and `<!-- end -->`. */
export function tables(): Readonly<Record<string, string>> {
  const [serverfs, files] = defaultServices()
  if (serverfs === undefined || files === undefined) throw new Error("both services are needed")
  return {
    clients: clients(),
    commands: table(["command", "what it does"], Object.entries(COMMANDS).map(([name, meaning]) => [code(`serverfs ${name}`), meaning])),
    options: options(),
    limits: table(["what", "limit", "set by"], LIMIT_ROWS),
    slots: variables("WORKDIR_XX_", SLOT_VARIABLES),
    variables: variables("", VARIABLES),
    serverfs: tools(serverfs),
    files: tools(files),
    errors: errors(),
    refusals: refusals(),
  }
}

/** The README with every table as the code has it. Throws for a marker that names no table. */
export function rendered(readme: string): string {
  const made = tables()
  return readme.replace(/<!-- table: (\w+) -->\n[^]*?<!-- end -->/g, (_, name: string) => {
    if (made[name] === undefined) throw new Error(`there is no table '${name}'`)
    return `<!-- table: ${name} -->\n${made[name]}\n<!-- end -->`
  })
}

if (import.meta.main) await Bun.write(README, rendered(await Bun.file(README).text()))
