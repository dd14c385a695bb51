/** The code of a system error, such as "ENOENT"; "" for whatever is none. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
}
