/** A directory of real files to configure, and loadConfig() on it with nothing else in the environment. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Config } from "../../src/config/config.ts"
import { loadConfig, type Loaded, type Sources } from "../../src/config/load.ts"
import type { ConfigOptions } from "../../src/config/variables/given.ts"

export const TOKEN = "t".repeat(32)

export class World implements Disposable {
  readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), "serverfs-config-")))

  /** A path below the base; nothing is made. */
  at(...parts: string[]): string {
    return path.join(this.base, ...parts)
  }

  /** Makes a directory with these files, empty unless their text is given. */
  dir(name: string, files: readonly string[] = []): string {
    mkdirSync(this.at(name), { recursive: true })
    for (const file of files) writeFileSync(this.at(name, file), "")
    return this.at(name)
  }

  file(name: string, text = ""): string {
    mkdirSync(path.dirname(this.at(name)), { recursive: true })
    writeFileSync(this.at(name), text)
    return this.at(name)
  }

  /** Loads with this environment and these options. Home, state, program and layout lie in the base and do not exist. */
  load(env: Record<string, string>, options: Partial<ConfigOptions> = {}, sources: Partial<Sources> = {}): Loaded {
    return loadConfig({
      env: { SERVERFS_WORKDIRS_ROOT: this.at("no-layout"), ...env },
      options: { dirs: [], envFile: null, host: null, port: null, ...options },
      cwd: this.base,
      home: this.at("home"),
      program: this.at("program"),
      needsDirectory: true,
      ...sources,
    })
  }

  /** The configuration; a fault fails the test. */
  config(...from: Parameters<World["load"]>): Config {
    const loaded = this.load(...from)
    if (!loaded.ok) throw new Error(loaded.faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"))
    return loaded.config
  }

  /** Each fault as "VARIABLE: message"; none when it loads. */
  faults(...from: Parameters<World["load"]>): string[] {
    const loaded = this.load(...from)
    return loaded.ok ? [] : loaded.faults.map(({ variable, message }) => `${variable}: ${message}`)
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}

/** WORKDIR_XX_ALIAS and WORKDIR_XX_PATH for each alias, from slot 01 on. */
export function slotsFor(roots: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(roots).flatMap(([alias, root], i) => {
    const slot = `WORKDIR_${String(i + 1).padStart(2, "0")}`
    return [[`${slot}_ALIAS`, alias], [`${slot}_PATH`, root]]
  }))
}
