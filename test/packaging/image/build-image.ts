/** Carries out the Dockerfile on this machine, in directories: what a stage says is done as it is said. */
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Instruction, parseDockerfile, type Stage } from "./dockerfile.ts"
import { host, linkedWith } from "./host.ts"

const PROJECT = join(import.meta.dir, "../../..")
const CACHE = "/cache"
/** What a RUN line of ours may call, for the stage that has a shell. */
const TOOLS = ["/bin/sh", "/bin/chmod", "/bin/mkdir"]

export interface Image {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
}

interface Built {
  readonly root: string
  readonly image: { env: Record<string, string>; user: string; workdir: string; entrypoint: string[]; healthcheck: string[] }
}

/** A program with its libraries, at the places they have on this machine. */
function install(root: string, program: string, at = program): void {
  for (const [from, to] of [[program, at], ...linkedWith(program).map((path) => [path, path])]) {
    if (from === undefined || to === undefined || existsSync(root + to)) continue
    mkdirSync(dirname(root + to), { recursive: true })
    cpSync(from, root + to, { dereference: true })
  }
}

/** Stands in for the published image: Bun and the C library, and tools only where the real one has a shell. */
function base(root: string, name: string): void {
  for (const directory of ["proc", "dev", "tmp", "etc"]) mkdirSync(join(root, directory), { recursive: true })
  const [, version, variant] = /^oven\/bun:([\d.]+)-(\w+)$/.exec(name) ?? []
  if (version !== Bun.version) throw new Error(`${name}: this is Bun ${Bun.version}`)
  install(root, process.execPath, "/usr/local/bin/bun")
  if (variant === "slim") for (const tool of TOOLS) install(root, tool)
}

/** .dockerignore lets these in and nothing else. */
function context(): string[] {
  return readFileSync(join(PROJECT, ".dockerignore"), "utf8").split("\n").filter((line) => line.startsWith("!")).map((line) => line.slice(1))
}

function copy({ text, flags }: Instruction, { root, image }: Built, stages: ReadonlyMap<string, Built>): void {
  const words = text.split(" ")
  const to = join(root, join(image.workdir, words.at(-1) ?? ""))
  const from = flags.get("from")
  const source = from === undefined ? PROJECT : stages.get(from)?.root
  if (source === undefined) throw new Error(`there is no stage ${from}`)
  for (const word of words.slice(0, -1)) {
    if (from === undefined && !context().includes(word)) throw new Error(`.dockerignore keeps ${word} out`)
    const path = join(source, word)
    const target = to.endsWith("/") && statSync(path).isFile() ? join(to, basename(word)) : to
    mkdirSync(dirname(target), { recursive: true })
    host("cp", "-RT", "--preserve=mode", "--no-preserve=ownership", path, target)
    const owner = flags.get("chown")
    if (owner !== undefined) host("chown", "-R", owner, target)
  }
}

/** In the stage's root, with the packages that this machine has in Bun's cache in place of the registry. */
function run({ text }: Instruction, { root, image }: Built): void {
  mkdirSync(root + CACHE, { recursive: true })
  const mounts = [[host(process.execPath, "pm", "cache").trim(), CACHE], ["/proc", "/proc"], ["/dev", "/dev"]] as const
  for (const [from, to] of mounts) host("mount", "--rbind", from, root + to)
  try {
    host("env", "-i", "PATH=/usr/local/bin:/bin", `BUN_INSTALL_CACHE_DIR=${CACHE}`, "/usr/sbin/chroot", root, "/bin/sh", "-ec", `cd ${image.workdir}; ${text}`)
  } finally {
    for (const [, to] of mounts) host("umount", "--lazy", root + to)
  }
}

function carryOut(step: Instruction, built: Built, stages: ReadonlyMap<string, Built>): void {
  const { image, root } = built
  switch (step.name) {
    case "COPY": return copy(step, built, stages)
    case "RUN": return run(step, built)
    case "ENV": return void Object.assign(image.env, Object.fromEntries(step.text.split(/\s+/).map((pair) => pair.split("="))))
    case "USER": return void (image.user = step.text)
    case "WORKDIR": return void (mkdirSync(join(root, step.text), { recursive: true }), (image.workdir = step.text))
    case "ENTRYPOINT": return void (image.entrypoint = JSON.parse(step.text))
    case "HEALTHCHECK": return void (image.healthcheck = JSON.parse(step.text.slice(step.text.indexOf("["))))
    case "VOLUME": case "EXPOSE": return
    default: throw new Error(`the Dockerfile says ${step.name}, which nothing here carries out`)
  }
}

function build(stage: Stage, root: string, stages: ReadonlyMap<string, Built>): Built {
  const built: Built = { root, image: { env: {}, user: "0:0", workdir: "/", entrypoint: [], healthcheck: [] } }
  base(root, stage.base)
  for (const step of stage.instructions) carryOut(step, built, stages)
  return built
}

/** @param scratch a directory for the stages' roots */
export function buildImage(scratch: string): Image {
  const stages = new Map<string, Built>()
  let last: Built | undefined
  for (const stage of parseDockerfile(readFileSync(join(PROJECT, "Dockerfile"), "utf8"))) {
    last = build(stage, join(scratch, stage.name || "image"), stages)
    stages.set(stage.name, last)
  }
  if (last === undefined) throw new Error("the Dockerfile has no stage")
  return { root: last.root, ...last.image }
}

/** The single-file program in a root where there is nothing but the libraries it is linked with. */
export function bareRoot(scratch: string): Image {
  const root = join(scratch, "bare")
  for (const directory of ["proc", "dev", "tmp", "etc"]) mkdirSync(join(root, directory), { recursive: true })
  install(root, join(PROJECT, "dist/serverfs"), "/serverfs")
  return { root, env: {}, user: "10001:10001", entrypoint: ["/serverfs"], healthcheck: ["/serverfs", "healthcheck"] }
}
