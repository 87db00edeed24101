/** A self-signed certificate (RFC 5280): node:crypto reads certificates but makes none (decision 053). */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { DAY_MS } from '#server/lib/clock.ts'

/** Both in PEM. */
export type SelfSigned = { cert: string; key: string }

/** P-256, for one DNS name. `more`: one critical extension, its value in DER. */
export const selfSigned = (
  dnsName: string,
  now: Date,
  validDays: number,
  more: { id: string; value: Buffer } | null = null,
): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const commonName = new x509.AttributeTypeAndValue({
    type: COMMON_NAME,
    value: new x509.AttributeValue({ utf8String: 'Mailstead' }),
  })
  const name = new x509.Name([new x509.RelativeDistinguishedName([commonName])])
  const extension = (extnID: string, critical: boolean, value: object) =>
    extensionOf(extnID, critical, AsnConvert.serialize(value))
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    // Positive, and never repeated.
    serialNumber: bytesOf(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    signature: algorithm,
    ...{ issuer: name, subject: name },
    validity: new x509.Validity({
      notBefore: new Date(now.getTime() - DAY_MS),
      notAfter: new Date(now.getTime() + validDays * DAY_MS),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      x509.SubjectPublicKeyInfo,
    ),
    extensions: new x509.Extensions([
      // Empty: not an authority.
      extension(x509.id_ce_basicConstraints, true, new x509.BasicConstraints()),
      extension(
        x509.id_ce_subjectAltName,
        false,
        new x509.SubjectAlternativeName([new x509.GeneralName({ dNSName: dnsName })]),
      ),
      ...(more === null ? [] : [extensionOf(more.id, true, bytesOf(more.value))]),
    ]),
  })
  const toBeSigned = Buffer.from(AsnConvert.serialize(tbsCertificate))
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(sign('sha256', toBeSigned, privateKey)),
  })
  const lines = Buffer.from(AsnConvert.serialize(certificate))
    .toString('base64')
    .match(/.{1,64}/g)
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...(lines ?? []), '-----END CERTIFICATE-----'].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  }
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'

const extensionOf = (extnID: string, critical: boolean, value: ArrayBuffer): x509.Extension =>
  new x509.Extension({ ...{ extnID, critical }, extnValue: new OctetString(value) })

const bytesOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer
