import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Finding } from "../../src/doctor/finding.ts"
import { scratch } from "../helpers/scratch.ts"

const MAIN = join(import.meta.dir, "../../src/main.ts")

async function doctor(variables: Record<string, string>, ...argv: string[]) {
  const child = Bun.spawn([process.execPath, "--no-env-file", MAIN, "doctor", ...argv], {
    env: { PATH: process.env.PATH, SERVERFS_PORT: "0", ...variables }, stdout: "pipe", stderr: "pipe",
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { status: await child.exited, stdout, stderr }
}

function findings(stdout: string): readonly Finding[] {
  return JSON.parse(stdout).findings
}

describe("serverfs doctor", () => {
  test("proves the confinement, and finds no error in a sound configuration", async () => {
    using tree = scratch({ "ro/a.txt": "x", rw: null })
    mkdirSync(tree.at("state"), { mode: 0o700 })
    const variables = {
      WORKDIR_01_ALIAS: "docs", WORKDIR_01_PATH: tree.at("ro"),
      WORKDIR_02_ALIAS: "work", WORKDIR_02_PATH: tree.at("rw"), WORKDIR_02_READ_ONLY: "false",
      SERVERFS_STATE_DIR: tree.at("state"),
    }
    const { status, stdout, stderr } = await doctor(variables, "--json")
    expect(stderr).toBe("")
    const found = findings(stdout)
    expect(found.filter(({ level }) => level === "error")).toEqual([])
    expect(found.filter(({ check }) => check === "confinement")).toEqual([expect.objectContaining({ level: "ok", message: expect.stringContaining("list /etc") })])
    expect(new Set(found.map(({ check }) => check))).toEqual(new Set(["configuration", "process", "kernel", "ripgrep", "confinement", "state", "space", "root", "filesystem", "guarantees", "port", ...(process.getuid?.() === 0 ? [] : ["owners"])]))
    // Root's rights are a warning.
    expect(status).toBe(process.getuid?.() === 0 ? 1 : 0)
    expect(JSON.parse(stdout).status).toBe(status === 0 ? "ok" : "warning")
  })

  test("ends with 2 and a fix for each error when the configuration cannot be used", async () => {
    using tree = scratch()
    const { status, stdout } = await doctor({ WORKDIR_01_ALIAS: "gone", WORKDIR_01_PATH: tree.at("gone"), SERVERFS_PORT: "x", SERVERFS_STATE_DIR: tree.at("state") }, "--json")
    const errors = findings(stdout).filter(({ level }) => level === "error")
    expect(status).toBe(2)
    expect(errors.map(({ check, subject }) => `${check} ${subject}`)).toEqual(expect.arrayContaining(["configuration SERVERFS_PORT", "configuration WORKDIR_01_PATH", "root gone"]))
    expect(errors.every(({ fix }) => fix)).toBe(true)
  })

  test("finds what a start would refuse though every text is sound, calls nothing ok that is not, and makes nothing", async () => {
    using tree = scratch({ ro: null, "log/link": { link: "elsewhere" } })
    mkdirSync(tree.at("state"), { mode: 0o700 })
    mkdirSync(tree.at("state/state.db"))
    const served = { WORKDIR_01_ALIAS: "docs", WORKDIR_01_PATH: tree.at("ro") }
    const bad = findings((await doctor({ ...served, SERVERFS_STATE_DIR: tree.at("state"), SERVERFS_AUDIT_FILE: tree.at("log/link") }, "--json")).stdout)
    expect(bad.filter(({ level }) => level === "error").map(({ subject }) => subject)).toEqual(["SERVERFS_STATE_DIR", "SERVERFS_AUDIT_FILE"])
    expect(bad.filter(({ check, level }) => level === "ok" && (check === "state" || check === "configuration"))).toEqual([])

    const open = await doctor({ ...served, SERVERFS_STATE_DIR: tree.at("new"), SERVERFS_HOST: "0.0.0.0" }, "--json")
    expect(findings(open.stdout).filter(({ level }) => level === "error")).toEqual([expect.objectContaining({ subject: "SERVERFS_HOST", message: expect.stringContaining("no credential yet") })])
    expect([open.status, existsSync(tree.at("new"))]).toEqual([2, false])
  })

  test("warns when confinement is off, and prints for people", async () => {
    using tree = scratch({ ro: null })
    const { status, stdout } = await doctor({ SERVERFS_CONFINE: "off", SERVERFS_STATE_DIR: tree.at("state") }, `--dir=docs=${tree.at("ro")}`)
    expect(status).toBe(1)
    expect(stdout).toContain("WARNING   confinement: is switched off\n          do: unset SERVERFS_CONFINE")
    expect(stdout).toMatch(/\n0 errors, \d warnings?, \d+ findings\n$/)
  })

  test("says what it does with --help, and refuses an option that it has not", async () => {
    expect((await doctor({}, "--help")).stdout).toStartWith("Usage: serverfs doctor [--json]")
    expect(await doctor({}, "--jsno")).toMatchObject({ status: 2, stderr: expect.stringContaining("--jsno") })
  })
})
