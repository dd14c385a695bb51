/** Run as a process of its own, under limits: one find_files and one search_text, then what they cost. */
import { writeSync } from "node:fs"
import { findFiles } from "../../src/operations/find-files.ts"
import { searchText } from "../../src/operations/search-text.ts"
import { inLane, newCall, settingsOf } from "../helpers/in-lane.ts"
import { LIMITS } from "../helpers/limits.ts"

const [root = "", pattern = ""] = process.argv.slice(2)
const SEARCH = { query: "needle", path: "", glob: "", caseSensitive: true, limit: 10_000, regex: false, contextLines: 0, includeIgnored: false }

// What is bounded here is memory and descriptors, on a machine that may be busy: time is not.
const settings = settingsOf(root, { limits: { ...LIMITS, searchTimeoutMs: 200_000 } })
const found = await inLane(settings, findFiles, { pattern, path: "", limit: 10_000, type: "file" }, newCall(200_000))
const searched = await inLane(settings, searchText, SEARCH, newCall(200_000))
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
writeSync(1, `${JSON.stringify({ found: found.paths.length, foundTruncated: found.truncated, searched: searched.matches.length, unreadable: searched.unreadable, peakMb })}\n`)
// The deadlines of calls that were made by hand would hold it for as long as they last.
process.exit()
