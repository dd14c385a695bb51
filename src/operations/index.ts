/** The list of what a lane can do. Which of the three tables a row stands in says how it holds the mutation lock. */
import { createDirectory } from "./create-directory.ts"
import { createTextFile } from "./create-text-file.ts"
import { deleteDirectory } from "./delete-directory.ts"
import { deleteFile } from "./delete-file.ts"
import { editTextFile } from "./edit-text-file.ts"
import { findFiles } from "./find-files.ts"
import { listDirectory } from "./list-directory.ts"
import { filesCopy } from "./files/copy.ts"
import { filesCreate } from "./files/create-file.ts"
import { filesDelete } from "./files/delete-file.ts"
import { filesDeleteTree } from "./files/delete-tree.ts"
import { filesList } from "./files/list-dir.ts"
import { filesMove } from "./files/move.ts"
import { filesRead } from "./files/read-file.ts"
import { filesSearch } from "./files/search.ts"
import { filesStat } from "./files/stat.ts"
import { filesUpdate } from "./files/update-file.ts"
import type { Operation } from "./operation.ts"
import { readText } from "./read-text.ts"
import { searchText } from "./search-text.ts"
import { statFile } from "./stat-file.ts"

/** Reads never take the lock. */
const READS = { findFiles, listDirectory, readText, searchText, statFile, filesList, filesRead, filesSearch, filesStat }

/** One check-and-commit each: synchronous, and sent only once the lock is held. */
const MUTATIONS = { createTextFile, editTextFile, deleteFile, createDirectory, deleteDirectory, filesCreate, filesUpdate, filesDelete }

/** Recursive: they take the lock per published entry or batch of removed ones. */
const TREE_MUTATIONS = { filesDeleteTree, filesMove, filesCopy }

export const OPERATIONS = { ...READS, ...MUTATIONS, ...TREE_MUTATIONS }

export type Read = keyof typeof READS
export type Mutation = keyof typeof MUTATIONS
export type TreeMutation = keyof typeof TREE_MUTATIONS
export type OperationName = keyof typeof OPERATIONS

type Row<N extends OperationName> = (typeof OPERATIONS)[N]
export type Input<N extends OperationName> = Row<N> extends Operation<infer I, infer _O> ? I : never
export type Output<N extends OperationName> = Row<N> extends Operation<infer _I, infer O> ? O : never
