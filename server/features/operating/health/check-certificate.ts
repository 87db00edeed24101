/** The certificate that the ports for mail show: of TLS_CERT, of a directory, or a self-signed one. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readOwnName } from '#server/features/certificates/trouble-queries.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { reasonOf } from '#server/lib/ports/bound-ports.ts'
import { troubleOf } from '#server/lib/tls/tls.ts'
import {
  type Check,
  command,
  type Finding,
  good,
  type HealthApp,
  setting,
  unknown,
  wrong,
} from './finding.ts'

export const checkCertificate: Check = async (app) => {
  const { tlsCertFile, acme, mailHost } = app.config
  if (tlsCertFile !== null) return [await checkFile(app, tlsCertFile)]
  if (acme !== null) return [await checkStored(app)]
  return [
    wrong(
      `The ports for mail show a self-signed certificate for ${mailHost}, which mail programs refuse.`,
      'Let Mailstead get one itself, or name your own in TLS_CERT and TLS_KEY.',
      setting('HTTP_PORT=80', 'ACME=on'),
    ),
  ]
}

const checkFile = async ({ config, clock }: HealthApp, file: string): Promise<Finding> => {
  try {
    const cert = await readFile(file, 'utf8')
    const trouble = troubleOf({ cert, key: '' }, config.mailHost, clock.now())
    if (trouble !== null)
      return wrong(`TLS_CERT is ${file}, ${trouble}`, 'Renew it; it is read again by itself.')
    return good(
      goodUntil(config.mailHost, new Date(new X509Certificate(cert).validTo), clock.now()),
    )
  } catch (error) {
    return unknown(
      `TLS_CERT is ${file}, which this user cannot read: ${reasonOf(error)}.`,
      'Look again as the user that starts Mailstead.',
    )
  }
}

const checkStored = async ({ config, db, clock }: HealthApp): Promise<Finding> => {
  const { mailHost } = config
  const row = await readOwnName(db, mailHost)
  const again = command(`npm run operator -- certificate ask ${mailHost}`)
  if (row === undefined)
    return wrong(
      `No certificate was asked for ${mailHost} yet.`,
      'It is asked for within seconds, where a process with the role worker runs.',
    )
  const { expiresAt, trouble } = row
  const isThere = expiresAt !== null && expiresAt > clock.now()
  if (trouble !== '')
    return wrong(
      `${mailHost} gets no ${isThere ? 'new ' : ''}certificate: ${trouble}`,
      'Mend that, and ask for it again.',
      again,
    )
  if (isThere) return good(goodUntil(mailHost, expiresAt, clock.now()))
  if (expiresAt === null)
    return unknown(`The certificate of ${mailHost} is being asked for.`, 'Check again in a minute.')
  return wrong(`The certificate of ${mailHost} has run out.`, 'Ask for another one.', again)
}

const goodUntil = (mailHost: string, expiresAt: Date, now: Date): string => {
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS)
  return `That of ${mailHost} is good for ${days === 1 ? 'a day' : `${days} days`} more.`
}
