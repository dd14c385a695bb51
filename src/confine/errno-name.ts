import { constants } from "node:os"

/** The name of what a call returned as -errno, such as EPERM. (node:util has sentences too, and costs 5 ms to load.) */
export function errnoName(status: number): string {
  return Object.entries(constants.errno).find(([, errno]) => errno === -status)?.[0] ?? `error ${-status}`
}
