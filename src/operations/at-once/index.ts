/** The list of what the event loop may answer by itself, each beside its operation in a lane. */
import { filesReadAtOnce, filesStatAtOnce } from "./files.ts"
import { readTextAtOnce } from "./read-text.ts"
import { statFileAtOnce } from "./stat-file.ts"

export const AT_ONCE = { readText: readTextAtOnce, statFile: statFileAtOnce, filesRead: filesReadAtOnce, filesStat: filesStatAtOnce }
