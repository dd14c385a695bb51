/** A directory that a stranger has prepared: whatever Bun, npx or a shell would run or obey there leaves a mark. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export class HostileDirectory implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "serverfs-hostile-")))
  readonly #marks = mkdtempSync(join(tmpdir(), "serverfs-marks-"))

  constructor() {
    const script = `require("node:fs").writeFileSync(${JSON.stringify(join(this.#marks, "script"))}, "")`
    this.#plant("evil.js", script)
    this.#plant("bunfig.toml", 'preload = ["./evil.js"]\n[run]\npreload = ["./evil.js"]\n[serve.static]\nplugins = ["./evil.js"]\n')
    for (const name of [".env", ".env.local", ".env.development", ".env.production"]) this.#plant(name, "SERVERFS_PORT=6666\nSERVERFS_CONFINE=off\n")
    this.#plant("tsconfig.json", JSON.stringify({ compilerOptions: { baseUrl: ".", paths: { "*": ["./evil.js"], hono: ["./evil.js"] }, jsxImportSource: "evil" } }))
    this.#plant("package.json", JSON.stringify({ name: "serverfs", type: "commonjs", main: "evil.js", imports: { "#x": "./evil.js" }, scripts: { start: "./evil" } }))
    for (const name of ["hono", "zod", "@vscode/ripgrep", "@modelcontextprotocol/sdk"]) this.#plant(`node_modules/${name}/index.js`, script)
    const program = `#!/bin/sh\n: > ${join(this.#marks, "program")}\nexit 1\n`
    for (const name of ["bun", "bunx", "node", "readlink", "dirname", "rg", "sh"]) {
      for (const directory of ["node_modules/.bin", "."]) chmodSync(this.#plant(join(directory, name), program), 0o755)
    }
  }

  /** What PATH is when npx or bunx runs something here, and when an operator has put the current directory first. */
  get searchPath(): string {
    return [join(this.path, "node_modules/.bin"), ".", "", process.env["PATH"]].join(":")
  }

  /** True once anything of it has run. */
  get ran(): boolean {
    return existsSync(join(this.#marks, "script")) || existsSync(join(this.#marks, "program"))
  }

  #plant(name: string, text: string): string {
    const path = join(this.path, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  [Symbol.dispose](): void {
    for (const path of [this.path, this.#marks]) rmSync(path, { recursive: true, force: true })
  }
}
