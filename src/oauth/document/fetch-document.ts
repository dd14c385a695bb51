/** Fetches a client's description from the URL that it gave as its name: the one place where the gateway connects out. */
import { lookup } from "node:dns/promises"
import { isPublicAddress } from "./public-address.ts"

const TIMEOUT_MS = 5_000
const MAX_BYTES = 10 * 1024
/** Of the addresses of one name. */
const MAX_TRIED = 3

/** Why it could not be had, as the operator is told: "docs.example.org answered with 404". */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault"
}

export interface Network {
  /** Every address of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  readonly fetch: (url: string, init: BunFetchRequestInit) => Promise<Response>
}

const SYSTEM: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  fetch: (url, init) => fetch(url, init),
}

/**
 * The text of the document, within 5 s and 10 KB, without following a redirect.
 * The name is resolved once, every address must be public, and the connection goes to one of those very addresses, with the certificate
 * checked against the name: what the name resolves to later changes nothing.
 * @throws DocumentFault
 */
export async function fetchDocument(url: URL, { resolve, fetch }: Network = SYSTEM): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const inTime = deadline(url.hostname, signal)
  const addresses = await inTime(publicAddresses(url.hostname, resolve))
  const response = await connect(url, addresses, fetch, signal)
  const type = response.headers.get("content-type") ?? ""
  if (response.status !== 200) throw new DocumentFault(`${url.hostname} answered with ${response.status}`)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) throw new DocumentFault(`${url.hostname} sent something else than JSON`)
  return inTime(boundedText(response, url.hostname))
}

async function publicAddresses(host: string, resolve: Network["resolve"]): Promise<readonly string[]> {
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new DocumentFault(`${host} could not be found`)
  if (!addresses.every(isPublicAddress)) throw new DocumentFault(`${host} leads to an address that is not public`)
  // IPv4 first: a host without IPv6 is more common than one without IPv4.
  return [...addresses].sort((one, other) => Number(one.includes(":")) - Number(other.includes(":"))).slice(0, MAX_TRIED)
}

async function connect(url: URL, addresses: readonly string[], fetch: Network["fetch"], signal: AbortSignal): Promise<Response> {
  for (const address of addresses) {
    try {
      return await fetch(`https://${address.includes(":") ? `[${address}]` : address}${url.pathname}${url.search}`, {
        headers: { Host: url.hostname, Accept: "application/json", "Accept-Encoding": "identity" },
        tls: { serverName: url.hostname, rejectUnauthorized: true },
        redirect: "manual",
        // A connection kept from before may belong to another name at the same address.
        keepalive: false,
        decompress: false,
        signal,
      })
    } catch {
      if (signal.aborted) break
    }
  }
  throw new DocumentFault(signal.aborted ? late(url.hostname) : `${url.hostname} could not be reached over TLS`)
}

async function boundedText(response: Response, host: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > MAX_BYTES) break
      text += decoder.decode(chunk, { stream: true })
    }
    text += decoder.decode()
  } catch {
    throw new DocumentFault(`what ${host} sent could not be read`)
  }
  if (bytes > MAX_BYTES) throw new DocumentFault(`${host} sent more than ${MAX_BYTES} bytes`)
  return text
}

function late(host: string): string {
  return `${host} did not answer in ${TIMEOUT_MS / 1000} s`
}

/** Neither a resolver nor a body can be trusted to heed the signal. */
function deadline(host: string, signal: AbortSignal) {
  return <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const fail = () => reject(new DocumentFault(late(host)))
    if (signal.aborted) fail()
    signal.addEventListener("abort", fail)
    return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", fail))
  }
}
