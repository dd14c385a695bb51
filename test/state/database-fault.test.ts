import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { databaseFault } from "../../src/state/database-fault.ts"
import { StateFault } from "../../src/state/state-fault.ts"
import { scratch } from "../helpers/scratch.ts"

function full(path: string): void {
  using db = new Database(path)
  db.run("PRAGMA max_page_count = 2")
  for (const name of ["a", "b", "c"]) db.run(`CREATE TABLE ${name} (x)`)
}

function locked(path: string): void {
  using holder = new Database(path)
  holder.run("BEGIN IMMEDIATE")
  using db = new Database(path)
  db.run("CREATE TABLE a (x)")
}

function readOnly(path: string): void {
  new Database(path).close()
  using db = new Database(path, { readonly: true })
  db.run("CREATE TABLE a (x)")
}

function noDatabase(path: string): void {
  writeFileSync(path, "x".repeat(5000))
  using db = new Database(path)
  db.run("CREATE TABLE a (x)")
}

function thrown(step: () => void): unknown {
  try {
    step()
  } catch (error) {
    return error
  }
  return null
}

test.each<[string, (path: string) => void, string]>([
  ["full", full, "the disk is full); free some space and try again"],
  ["locked", locked, "another process has kept it locked for 2 s); try again, or end that process"],
  ["read-only", readOnly, "it is read-only); let this user write to it"],
  ["not to be opened", (path) => new Database(`${path}/x`), "it can't be opened); let this user read and write it"],
  ["no database", noDatabase, "file is not a database); mend it, or move it away and make new tokens"],
])("a database that is %s is a fault that says so, and only an unsound one is to be moved away", (_what, use, message) => {
  using home = scratch()
  const path = home.at("state.db")
  expect(databaseFault(path, thrown(() => use(path)))).toEqual(new StateFault(`${path} can't be used (${message}`))
})

test("anything else is thrown as it is", () => {
  const error = new Error("x")
  expect(databaseFault("state.db", error)).toBe(error)
})
