/** A certificate authority of the tests: a root that signs certificates for requests and for servers. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { DAY_MS } from '#server/lib/clock.ts'

export type Authority = {
  /** The root, in PEM. */
  root: string
  /** A certificate for this public key (SPKI in DER); in PEM. */
  issue(spki: Buffer, dnsName: string, validity: { from: Date; until: Date }): string
  /** With a key of its own, for a server of the tests. */
  forServer(dnsName: string): { cert: string; key: string }
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'

const bytesOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })

const nameOf = (text: string): x509.Name =>
  new x509.Name([
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new x509.AttributeValue({ utf8String: text }),
      }),
    ]),
  ])

const extension = (extnID: string, critical: boolean, value: object) =>
  new x509.Extension({
    ...{ extnID, critical },
    extnValue: new OctetString(AsnConvert.serialize(value)),
  })

type Signed = {
  spki: Buffer
  issuer: x509.Name
  subject: x509.Name
  validity: { from: Date; until: Date }
  extensions: x509.Extension[]
}

const signed = (
  signer: KeyObject,
  { spki, issuer, subject, validity, extensions }: Signed,
): string => {
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bytesOf(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    signature: algorithm,
    ...{ issuer, subject },
    validity: new x509.Validity({ notBefore: validity.from, notAfter: validity.until }),
    subjectPublicKeyInfo: AsnConvert.parse(spki, x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions(extensions),
  })
  const toBeSigned = Buffer.from(AsnConvert.serialize(tbsCertificate))
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(sign('sha256', toBeSigned, signer)),
  })
  const lines = Buffer.from(AsnConvert.serialize(certificate))
    .toString('base64')
    .match(/.{1,64}/g)
  return ['-----BEGIN CERTIFICATE-----', ...(lines ?? []), '-----END CERTIFICATE-----'].join('\n')
}

export const anAuthority = (): Authority => {
  const { privateKey, publicKey } = newKey()
  // Unlike any other: OpenSSL finds an issuer by its name.
  const issuer = nameOf(`Test root ${randomBytes(6).toString('hex')}`)
  const spki = spkiOf(publicKey)
  const keyId = createHash('sha1').update(spki).digest()
  const now = Date.now()
  const isAuthority = extension(
    ...([x509.id_ce_basicConstraints, true] as const),
    new x509.BasicConstraints({ cA: true }),
  )
  const root = signed(privateKey, {
    ...{ spki, issuer, subject: issuer, extensions: [isAuthority] },
    validity: { from: new Date(now - 3650 * DAY_MS), until: new Date(now + 3650 * DAY_MS) },
  })
  const authorityKey = new x509.AuthorityKeyIdentifier({
    keyIdentifier: new x509.KeyIdentifier(bytesOf(keyId)),
  })
  const issue: Authority['issue'] = (leafSpki, dnsName, validity) => {
    const names = [new x509.GeneralName({ dNSName: dnsName })]
    return signed(privateKey, {
      ...{ spki: leafSpki, issuer, subject: new x509.Name(), validity },
      extensions: [
        extension(x509.id_ce_authorityKeyIdentifier, false, authorityKey),
        extension(x509.id_ce_subjectAltName, true, new x509.SubjectAlternativeName(names)),
      ],
    })
  }
  return {
    ...{ root, issue },
    forServer: (dnsName) => {
      const own = newKey()
      const validity = { from: new Date(now - DAY_MS), until: new Date(now + 30 * DAY_MS) }
      return {
        cert: issue(spkiOf(own.publicKey), dnsName, validity),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}
