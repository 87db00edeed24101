/** When a certificate is to be renewed (RFC 9773), and how one is revoked (RFC 8555 section 7.6). */
import { X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AuthorityKeyIdentifier,
  Certificate,
  id_ce_authorityKeyIdentifier,
} from '@peculiar/asn1-x509'
import { z } from 'zod'
import { HOUR_SECONDS } from '../clock.ts'
import { type AcmeClient, readAnswer } from './acme-client.ts'
import { AcmeTrouble, retryAfterOf } from './acme-trouble.ts'

const renewalInfo = z.object({
  suggestedWindow: z.object({
    start: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  }),
})

/** `askAgainSeconds`: after which the window may be another. */
export type RenewalWindow = { start: Date; end: Date; askAgainSeconds: number }

/** RFC 9773 section 4.3.3. */
const ASK_AGAIN_SECONDS = 6 * HOUR_SECONDS
const [SHORTEST_SECONDS, LONGEST_SECONDS] = [60, 24 * HOUR_SECONDS]

/** null: the directory offers none. @throws AcmeTrouble */
export const renewalWindow = async (
  client: AcmeClient,
  chain: string,
): Promise<RenewalWindow | null> => {
  const { renewalInfo: url } = await client.directory()
  const id = renewalId(chain)
  if (url === undefined || id === null) return null
  const answer = await client.get(`${url.replace(/\/$/, '')}/${id}`)
  const { suggestedWindow } = readAnswer(renewalInfo, answer)
  const [start, end] = [new Date(suggestedWindow.start), new Date(suggestedWindow.end)]
  if (end < start)
    throw new AcmeTrouble('The directory suggests a time that ends before it begins.')
  const told = retryAfterOf(answer.headers) ?? ASK_AGAIN_SECONDS
  const askAgainSeconds = Math.min(Math.max(told, SHORTEST_SECONDS), LONGEST_SECONDS)
  return { start, end, askAgainSeconds }
}

/** Key identifier of the authority and serial number (RFC 9773 section 4.1); null: the certificate has no such identifier. */
export const renewalId = (chain: string): string | null => {
  const { tbsCertificate } = AsnConvert.parse(new X509Certificate(chain).raw, Certificate)
  const extension = tbsCertificate.extensions?.find(
    ({ extnID }) => extnID === id_ce_authorityKeyIdentifier,
  )
  if (extension === undefined) return null
  const { keyIdentifier } = AsnConvert.parse(extension.extnValue.buffer, AuthorityKeyIdentifier)
  if (keyIdentifier === undefined) return null
  return [keyIdentifier.buffer, tbsCertificate.serialNumber]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

/** Reasons of RFC 5280 section 5.3.1. */
export const revocationReasons = {
  ...{ unspecified: 0, keyCompromise: 1, superseded: 4, cessationOfOperation: 5 },
} as const

/** @throws AcmeTrouble */
export const revokeCertificate = async (
  client: AcmeClient,
  chain: string,
  reason: keyof typeof revocationReasons,
): Promise<void> => {
  const { revokeCert } = await client.directory()
  if (revokeCert === undefined) throw new AcmeTrouble('The directory revokes nothing.')
  const certificate = new X509Certificate(chain).raw.toString('base64url')
  await client
    .post(revokeCert, { certificate, reason: revocationReasons[reason] })
    .catch((error: unknown) => {
      if (!(error instanceof AcmeTrouble && error.type === 'alreadyRevoked')) throw error
    })
}
