/** A self-signed certificate (RFC 5280), written in DER by hand: node:crypto reads certificates but makes none. */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { DAY_MS } from '#server/lib/clock.ts'

/** PEM, P-256, for one DNS name. */
export const selfSigned = (
  dnsName: string,
  now: Date,
  validDays: number,
): { cert: string; key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('Mailstead')))))
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.of(2))),
    // Positive, and never twice.
    integer(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(
      time(new Date(now.getTime() - DAY_MS)),
      time(new Date(now.getTime() + validDays * DAY_MS)),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(basicConstraints(), subjectAltName(dnsName))),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const certificate = sequence(toBeSigned, sequence(ECDSA_WITH_SHA256), bitString(signature))
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  }
}

/** One value: its tag, its length, what is in it. */
const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), content])
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content])
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents)
const integer = (bytes: Buffer): Buffer => der(0x02, bytes)
const octets = (bytes: Buffer): Buffer => der(0x04, bytes)
const bitString = (bytes: Buffer): Buffer => der(0x03, Buffer.of(0), bytes)

// Object identifiers, encoded.
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const TRUE = Buffer.from('0101ff', 'hex')

/** Critical, and empty: not an authority. */
const basicConstraints = (): Buffer => sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence()))

const subjectAltName = (dnsName: string): Buffer =>
  sequence(SUBJECT_ALT_NAME, octets(sequence(der(0x82, Buffer.from(dnsName, 'ascii')))))

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
const time = (at: Date): Buffer => {
  const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits))
}

const pem = (label: string, bytes: Buffer): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(bytes.toString('base64').match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
  ].join('\n')
