/** The key of an ACME account, and what it signs: JWS with ES256 (RFC 8555 section 6.2). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'

export type AccountKey = {
  /** RFC 7638, for the answers to challenges. */
  thumbprint: string
  /** The body of a POST. `payload` null: a POST that only reads. `account` null: a request that names the key itself. */
  signed(to: { url: string; nonce: string; account: string | null }, payload: object | null): string
}

/** P-256, in PEM; for accounts and for certificates. */
export const newKeyPem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
    .trim()

export const accountKey = (pem: string): AccountKey => {
  const key = createPrivateKey(pem)
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' })
  // In the order of RFC 7638 section 3.
  const jwk = { crv, kty, x, y }
  return {
    thumbprint: createHash('sha256').update(JSON.stringify(jwk)).digest('base64url'),
    signed: ({ url, nonce, account }, payload) => {
      const header = {
        alg: 'ES256',
        nonce,
        url,
        ...(account === null ? { jwk } : { kid: account }),
      }
      const [head, body] = [encoded(header), payload === null ? '' : encoded(payload)]
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
        ...{ key, dsaEncoding: 'ieee-p1363' },
      })
      return JSON.stringify({
        ...{ protected: head, payload: body, signature: signature.toString('base64url') },
      })
    },
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
