/** open(2) for a name alone, without reading or writing. node:fs has no name for it; the same on every architecture (fcntl.h). */
export const O_PATH = 0o10000000
