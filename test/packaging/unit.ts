/**
 * packaging/serverfs.service installed by its own first lines, started, used and stopped by a systemd of its own, in
 * namespaces of its own, as it stands but for one drop-in as an operator would write it. Needs root and systemd, and `bun run build` before. Not shown where the
 * host's cgroups are of version 1: TasksMax and MemoryMax.
 *
 *   bun test/packaging/unit.ts
 */
import { expect } from "bun:test"
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { host } from "./image/host.ts"

const PROJECT = join(import.meta.dir, "../..")
const UNIT = join(PROJECT, "packaging/serverfs.service")
const PORT = 18001

/** What the unit's first lines tell an operator to type, up to the start. */
function installation(): string {
  const lines = readFileSync(UNIT, "utf8").split("\n").flatMap((line) => /^#   (\S.*)$/.exec(line)?.[1] ?? [])
  const start = lines.indexOf("systemctl enable --now serverfs")
  if (start < 0) throw new Error("the unit does not say how it is started")
  return lines.slice(0, start).join("\n")
}

/** Where everything that the unit names is in place; then systemd as the first process. */
const FIRST_PROCESS = `#!/bin/sh
set -e
scratch=$1
mount --make-rprivate /
mount --make-rshared /
mount -t proc proc /proc
for directory in /run /srv /usr/local/bin /var/lib; do mount -t tmpfs tmpfs $directory; done
mount -t overlay overlay -o lowerdir=/etc,upperdir=$scratch/etc,workdir=$scratch/work /etc
mount --bind $scratch/console /dev/console
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
cd ${PROJECT}
${installation()}
cat $scratch/env >> /etc/serverfs/serverfs.env
install -d -o serverfs /srv/notes
install -d /srv/docs
exec env -i container=hand PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=$scratch/units \\
  /lib/systemd/systemd --system --unit=multi-user.target --log-target=console --show-status=no
`
const ENVIRONMENT = `WORKDIR_01_ALIAS=notes
WORKDIR_01_PATH=/srv/notes
WORKDIR_01_READ_ONLY=false
WORKDIR_02_ALIAS=docs
WORKDIR_02_PATH=/srv/docs
SERVERFS_CONFINE=required
SERVERFS_PORT=${PORT}
`
const DROP_IN = (scratch: string) => `[Service]
ReadWritePaths=/srv/notes
StandardError=append:${scratch}/log
StandardOutput=null
`
const TARGETS = ["sysinit", "basic", "multi-user", "shutdown"]

function prepare(scratch: string): void {
  const units = join(scratch, "units")
  for (const directory of ["etc", "work", "units/serverfs.service.d", "units/multi-user.target.wants"]) mkdirSync(join(scratch, directory), { recursive: true })
  copyFileSync(UNIT, join(units, "serverfs.service"))
  symlinkSync("../serverfs.service", join(units, "multi-user.target.wants/serverfs.service"))
  writeFileSync(join(scratch, "console"), "")
  for (const target of TARGETS) writeFileSync(join(units, `${target}.target`), "[Unit]\nDefaultDependencies=no\n")
  writeFileSync(join(units, "serverfs.service.d/operator.conf"), DROP_IN(scratch))
  writeFileSync(join(scratch, "env"), ENVIRONMENT)
  writeFileSync(join(scratch, "first"), FIRST_PROCESS, { mode: 0o755 })
}

const firstToken = () => readFileSync(join(scratch, "etc/serverfs/token"), "utf8").trim()

async function call(tool: string, args: object, token = firstToken()): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }
  return (await fetch(`http://127.0.0.1:${PORT}/mcp/${tool}`, { method: "POST", headers, body: JSON.stringify(args) })).json()
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!await look().catch(() => false)) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await Bun.sleep(200)
  }
}

const scratch = mkdtempSync("/var/tmp/serverfs-unit-")
chmodSync(scratch, 0o755)
prepare(scratch)
const namespaces = Bun.spawn(["unshare", "--pid", "--mount", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child=SIGKILL", join(scratch, "first"), scratch], {
  stdio: ["ignore", "inherit", "inherit"],
})
const log = () => (existsSync(join(scratch, "log")) ? readFileSync(join(scratch, "log"), "utf8") : "")
try {
  await until("the unit is ready", async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok)
  const first = host("pgrep", "-P", String(namespaces.pid)).trim()
  const systemctl = (...words: string[]) => host("nsenter", "-t", first, "-m", "-p", "systemctl", ...words)

  expect(await call("list_workdirs", {})).toMatchObject({ workdirs: [{ alias: "notes", access: "read-write" }, { alias: "docs", access: "read-only" }] })
  expect(await call("create_text_file", { workdir: "notes", path: "a.txt", content: "needle\n" })).toMatchObject({ created: true })
  expect(await call("search_text", { workdir: "notes", query: "needle" })).toMatchObject({ returned: 1 })
  const command = /^#   sudo -u serverfs (.+)$/m.exec(readFileSync(UNIT, "utf8"))?.[1] ?? ""
  const token = host("nsenter", "-t", first, "-m", "-p", "runuser", "-u", "serverfs", "--", ...command.split(" ")).trim()
  expect(await call("list_workdirs", {}, token)).toMatchObject({ workdirs: [{ alias: "notes" }, { alias: "docs" }] })
  const startup = log().split("\n").find((line) => line.includes('"event":"startup"')) ?? ""
  expect(startup).toContain('"state":"enforced"')
  const status = readFileSync(`/proc/${host("pgrep", "-P", first, "serverfs").trim()}/status`, "utf8")
  expect(status).toMatch(/^NoNewPrivs:\t1$[^]*^Seccomp:\t2$/m)
  expect(status).toMatch(/^CapBnd:\t0+$/m)
  systemctl("stop", "serverfs")
  expect(systemctl("show", "--property=Result,ExecMainStatus", "serverfs").trim().split("\n").sort()).toEqual(["ExecMainStatus=0", "Result=success"])
  expect(log()).toContain('"event":"shutdown","signal":"SIGTERM"')
  console.log(`started, used and stopped by systemd\n${startup}`)
} catch (error) {
  console.log(`${readFileSync(join(scratch, "console"), "utf8")}\n${log()}`)
  throw error
} finally {
  namespaces.kill("SIGKILL")
  await namespaces.exited
  rmSync(scratch, { recursive: true, force: true })
}
