/** DKIM key records (RFC 6376 §3.6.1), compared by the key. */
import { parseTags } from './tag-list.ts'

export type DkimKeyRecord = {
  algorithm: string
  /** base64 without white space; '' means revoked. */
  publicKey: string
  /** SHA-256 is allowed, and the services include mail. */
  isForMail: boolean
}

export const expectedDkim = (algorithm: 'rsa' | 'ed25519', publicKey: string): string =>
  `v=DKIM1; k=${algorithm}; p=${publicKey}`

/** Returns null when the text is not a DKIM key record. */
export const parseDkim = (text: string): DkimKeyRecord | null => {
  const tags = parseTags(text)
  const key = tags?.get('p')
  if (!tags || key === undefined) return null
  // v is optional; when present it comes first and is DKIM1.
  if (tags.has('v') && (tags.get('v') !== 'DKIM1' || tags.keys().next().value !== 'v')) return null
  const among = (tag: string, wanted: string[]) =>
    (tags.get(tag) ?? wanted[0] ?? '').split(':').some((each) => wanted.includes(each.trim()))
  return {
    algorithm: tags.get('k') ?? 'rsa',
    publicKey: key.replace(/\s+/g, ''),
    isForMail: among('h', ['sha256']) && among('s', ['*', 'email']),
  }
}
