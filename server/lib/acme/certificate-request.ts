/** A certificate signing request for one DNS name (PKCS #10, RFC 2986): node:crypto makes none, and the DER of this one is short. */
import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { objectId, sequence, tags, value } from '../tls/der.ts'

/** DER, signed with ECDSA and SHA-256. The subject is empty: the name is in the extension alone (RFC 6125 section 6.4). */
export const certificateRequest = (dnsName: string, privateKey: KeyObject): Buffer => {
  const altName = sequence(value(DNS_NAME, Buffer.from(dnsName, 'ascii')))
  const extension = sequence(SUBJECT_ALT_NAME, value(tags.octetString, altName))
  const attribute = sequence(EXTENSION_REQUEST, value(tags.set, sequence(extension)))
  const info = sequence(
    value(tags.integer, Buffer.of(0)),
    sequence(),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    value(tags.first, attribute),
  )
  const signature = sign('sha256', info, privateKey)
  return sequence(info, sequence(ECDSA_WITH_SHA256), value(tags.bitString, Buffer.of(0), signature))
}

const DNS_NAME = 0x82
const ECDSA_WITH_SHA256 = objectId('1.2.840.10045.4.3.2')
const EXTENSION_REQUEST = objectId('1.2.840.113549.1.9.14')
const SUBJECT_ALT_NAME = objectId('2.5.29.17')
