/** A signed message (CMS, RFC 5652) around some bytes, with the certificate of this server: for profiles of Apple's devices. */
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate as ParsedCertificate } from '@peculiar/asn1-x509'
import { objectId, sequence, setOf, tags, value } from './der.ts'
import type { Certificate } from './tls.ts'

const SIGNED_DATA = objectId('1.2.840.113549.1.7.2')
const DATA = objectId('1.2.840.113549.1.7.1')
const CONTENT_TYPE = objectId('1.2.840.113549.1.9.3')
const MESSAGE_DIGEST = objectId('1.2.840.113549.1.9.4')
const SIGNING_TIME = objectId('1.2.840.113549.1.9.5')
const SHA256 = sequence(objectId('2.16.840.1.101.3.4.2.1'))
const algorithms: Record<string, Buffer> = {
  ec: sequence(objectId('1.2.840.10045.4.3.2')),
  rsa: sequence(objectId('1.2.840.113549.1.1.1'), value(0x05)),
}

/** `cert`: with its chain. @returns null for a key of another kind, with which no such message is signed here */
export const signMessage = (
  content: Buffer,
  { cert, key }: Certificate,
  now: Date,
): Buffer | null => {
  const privateKey = createPrivateKey(key)
  const algorithm = algorithms[privateKey.asymmetricKeyType ?? '']
  if (algorithm === undefined) return null
  const chain = certificatesIn(cert)
  const attributes = setOf(
    attribute(CONTENT_TYPE, DATA),
    attribute(SIGNING_TIME, value(tags.utcTime, Buffer.from(utcTime(now)))),
    attribute(
      MESSAGE_DIGEST,
      value(tags.octetString, createHash('sha256').update(content).digest()),
    ),
  )
  const signer = sequence(
    value(tags.integer, Buffer.of(1)),
    issuerAndSerial(chain[0] ?? Buffer.alloc(0)),
    SHA256,
    // Signed as a set, sent with a tag of its own (section 5.4).
    Buffer.concat([Buffer.of(tags.first), attributes.subarray(1)]),
    algorithm,
    value(tags.octetString, sign('sha256', attributes, privateKey)),
  )
  const signedData = sequence(
    value(tags.integer, Buffer.of(1)),
    value(tags.set, SHA256),
    sequence(DATA, value(tags.first, value(tags.octetString, content))),
    value(tags.first, ...chain),
    value(tags.set, signer),
  )
  return sequence(SIGNED_DATA, value(tags.first, signedData))
}

/** Nobody outside knows who signed it. */
export const isSelfSigned = ({ cert }: Certificate): boolean => {
  const { issuer, subject } = new X509Certificate(cert)
  return issuer === subject
}

const attribute = (type: Buffer, of: Buffer): Buffer => sequence(type, value(tags.set, of))

const certificatesIn = (pem: string): Buffer[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (each) => new X509Certificate(each).raw,
  )

const issuerAndSerial = (der: Buffer): Buffer => {
  const { tbsCertificate } = AsnConvert.parse(der, ParsedCertificate)
  return sequence(
    Buffer.from(AsnConvert.serialize(tbsCertificate.issuer)),
    value(tags.integer, Buffer.from(tbsCertificate.serialNumber)),
  )
}

/** Until 2049 (RFC 5652 section 11.3): 261127084410Z. */
const utcTime = (at: Date): string => `${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`
