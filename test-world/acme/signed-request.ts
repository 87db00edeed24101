/** What a directory checks of a signed request (RFC 8555 section 6), and what it reads in a certificate request. */
import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'

export type SignedRequest = {
  nonce: string
  url: string
  kid: string | null
  jwk: JsonWebKey | null
  /** null: a request that only reads. */
  payload: Record<string, unknown> | null
  isSignedBy(key: KeyObject): boolean
}

export const readSigned = (text: string): SignedRequest => {
  const body = JSON.parse(text) as { protected: string; payload: string; signature: string }
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  const { alg, nonce, url, kid = null, jwk = null } = decoded(body.protected)
  return {
    ...{ nonce, url, kid, jwk },
    payload: body.payload === '' ? null : decoded(body.payload),
    isSignedBy: (key) =>
      alg === 'ES256' &&
      verify(
        'sha256',
        Buffer.from(`${body.protected}.${body.payload}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(body.signature, 'base64url'),
      ),
  }
}

export const publicKeyOf = (jwk: JsonWebKey): KeyObject =>
  createPublicKey({ key: jwk, format: 'jwk' })

/** RFC 7638. */
export const thumbprintOf = ({ crv, kty, x, y }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

/** The public key (SPKI in DER) of a request for this one name; null: it is not for this name, or not signed by its key. */
export const keyInRequest = (csr: Buffer, name: string): Buffer | null => {
  const [whole] = elements(csr)
  const [info, , signature] = whole === undefined ? [] : elements(whole.content)
  if (info === undefined || signature === undefined) return null
  const [, , spki] = elements(info.content)
  const dnsName = Buffer.concat([Buffer.of(0x82, name.length), Buffer.from(name)])
  if (spki === undefined || !info.whole.includes(dnsName)) return null
  const key = createPublicKey({ key: spki.whole, format: 'der', type: 'spki' })
  const isItsOwn = verify('sha256', info.whole, key, signature.content.subarray(1))
  return isItsOwn ? spki.whole : null
}

type Element = { whole: Buffer; content: Buffer }

const elements = (der: Buffer): Element[] => {
  const found: Element[] = []
  for (let at = 0; at + 2 <= der.length; ) {
    const first = der[at + 1] ?? 0
    const lengthBytes = first < 0x80 ? 0 : first - 0x80
    const from = at + 2 + lengthBytes
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes)
    found.push({
      whole: der.subarray(at, from + length),
      content: der.subarray(from, from + length),
    })
    at = from + length
  }
  return found
}
