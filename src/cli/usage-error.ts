/** The arguments of a command can't be understood: it says why and prints its usage. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}
