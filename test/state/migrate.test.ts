import { describe, expect, test } from "bun:test"
import { Database } from "bun:sqlite"
import { migrate } from "../../src/state/migrate.ts"

const version = (db: Database): unknown => db.query("PRAGMA user_version").get()
const tables = (db: Database): unknown => db.query("SELECT name FROM sqlite_schema ORDER BY name").values().flat()

describe("migrate", () => {
  test("runs only the steps that are missing", () => {
    const db = new Database(":memory:")
    migrate(db, ["CREATE TABLE a (x)"])
    db.run("INSERT INTO a VALUES (1)")
    migrate(db, ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "INSERT INTO b SELECT x FROM a"])
    expect(db.query("SELECT x FROM b").all()).toEqual([{ x: 1 }])
    expect(version(db)).toEqual({ user_version: 3 })
  })

  test("runs all steps or none", () => {
    const db = new Database(":memory:")
    expect(() => migrate(db, ["CREATE TABLE a (x)", "CREATE TABLE a (x)"])).toThrow("already exists")
    expect(tables(db)).toEqual([])
    expect(version(db)).toEqual({ user_version: 0 })
  })

  test("refuses a newer version", () => {
    const db = new Database(":memory:")
    db.run("PRAGMA user_version = 2")
    expect(() => migrate(db, ["CREATE TABLE a (x)"])).toThrow("newer serverfs")
  })
})
