/** What the SDKs judge answers to elicitation with. This gateway asks its clients nothing, and an Ajv costs 20 ms at start and 3 µs a request. */
export const noElicitation = {
  getValidator(): never {
    throw new Error("nothing is ever elicited")
  },
}
