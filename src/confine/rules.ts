/** What the process may open and where it may connect, as a list. Pure: no look at the system. */
import type { Config } from "../config/config.ts"
import type { FsRight } from "./rights.ts"

export interface PathRule {
  readonly path: string
  readonly rights: readonly FsRight[]
  /** True: an absent path is no fault. */
  readonly optional: boolean
}

export interface Rules {
  readonly paths: readonly PathRule[]
  /** TCP ports to listen on; 0 = any that the kernel picks. */
  readonly bind: readonly number[]
  /** TCP ports that may be connected to. */
  readonly connect: readonly number[]
}

/** The part of the configuration that says what is needed. */
export type Confinable = Pick<Config, "host" | "port" | "stateDir" | "auditFile" | "metrics" | "workdirs" | "files">

/** What the runtime needs of the host, found by facts.ts. Absolute paths. */
export interface Facts {
  /** The running executable; executed once more, inside. */
  readonly executable: string
  /** Mapped libraries, the dynamic loader among them. */
  readonly libraries: readonly string[]
  readonly program: ProgramPaths
  /** ripgrep's file; null when it is started from memory. */
  readonly ripgrep: string | null
  /** True when a feature fetches from other hosts (client metadata documents). */
  readonly connectsOut: boolean
  /** Directory of the file that /etc/resolv.conf points to, when a daemon keeps it under /run; null else. */
  readonly resolverDir: string | null
}

export interface ProgramPaths {
  /** Directories whose names the module resolver lists. */
  readonly listed: readonly string[]
  /** Files and directories that it reads. */
  readonly read: readonly string[]
}

const READ: readonly FsRight[] = ["read_file", "read_dir"]
/** Temp, link or rename, unlink; read_dir is also what the directory's fsync opens it with. */
const MUTATE: readonly FsRight[] = [...READ, "write_file", "make_reg", "make_dir", "remove_file", "remove_dir"]
/**
 * Moves and tree copies besides. refer: between two directories (else EXDEV). make_*: what is moved or copied is made anew
 * at the target. truncate: a copy that ends in a hole. Never make_char or make_block: root could make the disk's own node
 * and read past every rule; so under confinement device nodes cannot be moved.
 */
const MUTATE_TREES: readonly FsRight[] = [...MUTATE, "refer", "make_sym", "make_fifo", "make_sock", "truncate"]
/** The state's database with its journals, the audit file with its rotated ones. */
const OWN_FILES: readonly FsRight[] = [...READ, "write_file", "make_reg", "remove_file", "truncate"]
const RUN: readonly FsRight[] = ["read_file", "execute"]

/** By which the runtime sizes its heap and counts its processors: the limits of the container, and of the machine. */
const SIZES = [
  "/sys/fs/cgroup", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage/enabled",
  "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/mmap_min_addr",
]
const RESOLVER = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf"]
const CERTIFICATES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
const HTTPS = 443

function rule(path: string, rights: readonly FsRight[]): PathRule {
  return { path, rights, optional: false }
}

function ifThere(path: string, rights: readonly FsRight[]): PathRule {
  return { path, rights, optional: true }
}

/** Directory part of an absolute path. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/"
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^[\d.]+$/.test(host)
}

function served(config: Confinable): PathRule[] {
  const workdirs = config.workdirs.map((workdir) => rule(workdir.root, workdir.readOnly ? READ : MUTATE))
  return config.files === null ? workdirs : [...workdirs, rule(config.files.root, config.files.readOnly ? READ : MUTATE_TREES)]
}

function runtime(facts: Facts): PathRule[] {
  return [
    rule(facts.executable, RUN),
    ...facts.libraries.map((path) => rule(path, /\/ld[-.][^/]*$/.test(path) ? RUN : ["read_file"])),
    ...facts.program.listed.map((path) => ifThere(path, ["read_dir"])),
    ...facts.program.read.map((path) => ifThere(path, READ)),
    ...(facts.ripgrep === null ? [] : [rule(facts.ripgrep, RUN)]),
    ifThere("/etc/ld.so.cache", ["read_file"]),
    // Its own process only: the kernel resolves the name when the rule is made.
    rule("/proc/self", READ),
    ...SIZES.map((path) => ifThere(path, ["read_file"])),
    rule("/dev/null", ["read_file", "write_file"]),
    ifThere("/dev/urandom", ["read_file"]),
  ]
}

function network(config: Confinable, facts: Facts): PathRule[] {
  if (!facts.connectsOut && isAddress(config.host)) return []
  const names = [...RESOLVER, ...(facts.resolverDir === null ? [] : [facts.resolverDir])]
  return [...names, ...(facts.connectsOut ? CERTIFICATES : [])].map((path) => ifThere(path, ["read_file"]))
}

/** The rules for one configuration on one host (design: confinement by the kernel). */
export function rulesFor(config: Confinable, facts: Facts): Rules {
  const metricsPort = config.metrics?.port ?? null
  return {
    paths: [
      ...runtime(facts),
      ...network(config, facts),
      ifThere(config.stateDir, OWN_FILES),
      ...(config.auditFile === null ? [] : [rule(parentOf(config.auditFile.path), OWN_FILES)]),
      ...served(config),
    ],
    bind: metricsPort === null ? [config.port] : [config.port, metricsPort],
    connect: facts.connectsOut ? [HTTPS] : [],
  }
}
