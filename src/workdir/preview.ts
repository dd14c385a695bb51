import { unifiedDiff } from "./diff.ts"
import { applyEdits, type Edit } from "./edits.ts"
import { behindBom, cut, keptWhole } from "./kept.ts"
import { bomLength } from "./text.ts"

/** The result of the edits with the diff that leads to it. Parameters and errors are those of applyEdits. */
export function previewEdits(source: Buffer, edits: readonly Edit[], limit: number, given: string): { result: Buffer; diff: string } {
  const bom = bomLength(source)
  let kept = keptWhole(source.length - bom)
  const result = applyEdits(source, edits, limit, given, (replacement) => { kept = cut(kept, replacement) })
  return { result, diff: unifiedDiff(given, source, result, behindBom(bom, kept)) }
}
