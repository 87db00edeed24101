/** What proves that a name leads here: a text under a path (http-01, RFC 8555 section 8.3), or a certificate (tls-alpn-01, RFC 8737). */
import { createHash } from 'node:crypto'
import type { SelfSigned } from '../tls/self-signed.ts'

export type ChallengeKind = 'http-01' | 'tls-alpn-01'

/** `keyAuthorization`: the token and the thumbprint of the account (RFC 8555 section 8.1). */
export type ChallengeAnswer = { name: string; token: string; keyAuthorization: string }

/** The protocol that a directory asks for by ALPN. */
export const ACME_ALPN = 'acme-tls/1'

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const VALID_DAYS = 7

/** Imported when it is needed: most processes never make one. */
export const challengeCertificate = async (
  { name, keyAuthorization }: ChallengeAnswer,
  now: Date,
): Promise<SelfSigned> => {
  const { selfSigned } = await import('../tls/self-signed.ts')
  const digest = createHash('sha256').update(keyAuthorization).digest()
  // An OCTET STRING of 32 bytes, critical.
  const value = Buffer.concat([Buffer.of(0x04, digest.length), digest])
  return selfSigned(name, now, VALID_DAYS, { id: ACME_IDENTIFIER, value })
}
