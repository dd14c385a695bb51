/** A fresh self-signed certificate (RFC 5280), made here so that the tests need no program besides Bun. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

export interface Certificate {
  /** PEM, both. */
  readonly key: string
  readonly cert: string
}

const DAY_MS = 24 * 3600 * 1000
const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8, UTC_TIME, SEQUENCE, SET] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x17, 0x30, 0x31] as const
const DNS_NAME = 0x82
const explicit = (number: number): number => 0xa0 + number

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 0x80 ? [body.length] : body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value))
const oid = (hex: string): Buffer => der(OID, Buffer.from(hex, "hex"))
const utcTime = (ms: number): Buffer => text(UTC_TIME, new Date(ms).toISOString().replace(/^\d\d|[-:T]|\.\d+/g, ""))

const ECDSA_SHA256 = der(SEQUENCE, oid("2a8648ce3d040302"))
const TRUE = Buffer.from([0x01, 0x01, 0xff])
const IS_CA = der(SEQUENCE, oid("551d13"), TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE)))
const alternativeNames = (names: readonly string[]): Buffer => der(SEQUENCE, oid("551d11"), der(OCTET_STRING, der(SEQUENCE, ...names.map((name) => text(DNS_NAME, name)))))

/** @param names the host names that it is good for */
export function selfSigned(...names: readonly [string, ...string[]]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid("550403"), text(UTF8, names[0]))))
  const body = der(
    SEQUENCE,
    der(explicit(0), der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1]), randomBytes(8)),
    ECDSA_SHA256,
    name,
    der(SEQUENCE, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(explicit(3), der(SEQUENCE, IS_CA, alternativeNames(names))),
  )
  const certificate = der(SEQUENCE, body, ECDSA_SHA256, der(BIT_STRING, Buffer.from([0]), sign("sha256", body, privateKey)))
  const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n").trim()
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}
