/** Whether the embedded authorization server is on (contract §7, SERVERFS_OAUTH). */
import type { Config } from "./config.ts"

/**
 * Why it is off; null = it is on. A public URL with a path keeps it off: clients look for our documents at the root of the
 * origin, which then is somebody else's.
 */
export function whyOauthIsOff({ oauth, publicUrl }: Pick<Config, "oauth" | "publicUrl">, operatorSecret: boolean): string | null {
  if (oauth === "off") return "SERVERFS_OAUTH is off"
  if (publicUrl === null) return "SERVERFS_PUBLIC_URL is not set"
  const { protocol, pathname } = new URL(publicUrl)
  if (protocol !== "https:") return "SERVERFS_PUBLIC_URL is not https"
  if (pathname !== "/") return "SERVERFS_PUBLIC_URL has a path"
  return operatorSecret ? null : "there is no operator secret"
}
