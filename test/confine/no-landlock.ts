/**
 * Runs its arguments as a command on what looks like a kernel without Landlock: a seccomp filter answers ENOSYS to
 * landlock_create_ruleset(2), as container runtimes do. The filter is inherited.
 */
import { dlopen, ptr } from "bun:ffi"
import { mappedCode } from "../../src/confine/facts.ts"

const PR_SET_NO_NEW_PRIVS = 38
const PR_SET_SECCOMP = 22
const MODE_FILTER = 2
const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const RETURN = 0x06
const ALLOW = 0x7fff0000
const ENOSYS = 0x00050000 + 38
const LANDLOCK_CREATE_RULESET = 444

const steps: [code: number, whenTrue: number, whenFalse: number, value: number][] = [
  [LOAD_WORD, 0, 0, 0],
  [JUMP_IF_EQUAL, 0, 1, LANDLOCK_CREATE_RULESET],
  [RETURN, 0, 0, ENOSYS],
  [RETURN, 0, 0, ALLOW],
]
const filter = new DataView(new ArrayBuffer(steps.length * 8))
steps.forEach(([code, whenTrue, whenFalse, value], i) => {
  filter.setUint16(i * 8, code, true)
  filter.setUint8(i * 8 + 2, whenTrue)
  filter.setUint8(i * 8 + 3, whenFalse)
  filter.setUint32(i * 8 + 4, value, true)
})
const program = new DataView(new ArrayBuffer(16))
program.setUint16(0, steps.length, true)
program.setBigUint64(8, BigInt(ptr(filter)), true)

const libc = mappedCode().find((path) => /\/(?:libc\.so\.6|ld-musl-[^/]+)$/.test(path)) ?? "libc.so.6"
const { symbols } = dlopen(libc, { prctl: { args: ["i32", "u64", "ptr", "u64", "u64"], returns: "i32" } })
if (symbols.prctl(PR_SET_NO_NEW_PRIVS, 1n, null, 0n, 0n) !== 0 || symbols.prctl(PR_SET_SECCOMP, BigInt(MODE_FILTER), ptr(program), 0n, 0n) !== 0) {
  throw new Error("no seccomp")
}
const { exitCode } = Bun.spawnSync(process.argv.slice(2), { stdio: ["inherit", "inherit", "inherit"] })
process.exit(exitCode)
