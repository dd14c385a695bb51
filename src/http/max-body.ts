/** 1 MiB of content written as \u escapes must pass, envelope included. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
