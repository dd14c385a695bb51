/** Makes dist/serverfs, the whole program in one file: Bun, the sources with their packages, ripgrep. For the machine it is made on. */
import { rgPath } from "@vscode/ripgrep"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "..")
const OUTFILE = join(ROOT, "dist/serverfs")

/** Threads start from files of their own. */
const workers = [...new Bun.Glob("src/**/*.worker.ts").scanSync({ cwd: ROOT, absolute: true })]

await Bun.build({
  entrypoints: [join(ROOT, "src/main.ts"), ...workers],
  target: "bun",
  format: "esm",
  // Compiled ahead, and no more loaded than a command needs: half the time to ready.
  bytecode: true,
  splitting: true,
  // Side by side, where `new URL("./x.worker.ts", import.meta.url)` of the bundled program looks for them.
  naming: { entry: "[name].[ext]" },
  // Only asked where ripgrep is a file: see src/search/ripgrep-on-disk.ts.
  external: ["@vscode/ripgrep"],
  compile: {
    outfile: OUTFILE,
    assets: [rgPath],
    executablePath: process.execPath,
    // The directory it is started in is data: nothing there may configure or enter this process.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
})
console.log(`${OUTFILE} is made: ${Math.round(Bun.file(OUTFILE).size / 1024 ** 2)} MiB`)
