/** Where a gateway is reached from its own machine. */

/** The address behind a listening one: of those that mean "every interface", the loopback. */
export function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1"
  return host === "::" ? "::1" : host
}

/** Such as http://127.0.0.1:8000. */
export function localUrl(host: string, port: number): string {
  const name = reachable(host)
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}
