/** Everything about one directory. Blocks: a worker calls it. */
import type { Finding } from "../finding.ts"
import { checkAccess } from "./access.ts"
import { checkFilesystem } from "./filesystem.ts"
import { checkGuarantees } from "./guarantees.ts"
import { checkOwners } from "./owners.ts"
import { checkSpace } from "./space.ts"
import type { Target } from "./target.ts"

export function examineRoot(target: Target): Finding[] {
  const access = checkAccess(target)
  if (access.level === "error") return [access]
  return [
    access,
    ...checkOwners(target),
    checkFilesystem(target),
    ...(target.writable ? [checkSpace(target)] : []),
    ...checkGuarantees(target),
  ]
}
