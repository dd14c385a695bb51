/** Where a gateway is reached from its own machine. */

/** The address behind a listening one: of those that mean "every interface", the loopback. */
export function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1"
  return host === "::" ? "::1" : host
}

/** The same as a URL and a Host header have it: IPv6 in brackets. */
export function reachableName(host: string): string {
  const name = reachable(host)
  return name.includes(":") ? `[${name}]` : name
}

/** Such as http://127.0.0.1:8000. */
export function localUrl(host: string, port: number): string {
  return `http://${reachableName(host)}:${port}`
}
