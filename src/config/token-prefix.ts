/** How the credentials begin that serverfs makes itself: named tokens; OAuth codes, access tokens and refresh tokens. */
export const TOKEN_PREFIXES = ["sfs_", "sfc_", "sfa_", "sfr_"] as const

export type TokenPrefix = (typeof TOKEN_PREFIXES)[number]
