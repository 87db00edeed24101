import { X509Certificate } from 'node:crypto'
import type { App } from '#server/app.ts'
import { readNeeded } from '#server/features/certificates/trouble-queries.ts'
import { hostForMxOf } from '#server/features/domains/mail-server.ts'
import { DAY_MS, HOUR_MS, timeText } from '#server/lib/clock.ts'
import type { Condition } from './condition.ts'

/** Renewal begins long before: certificates of 90 days after 60, those of six days after four. */
const LEAST = { ms: 14 * DAY_MS, share: 0.25 }
/** In which the first certificate of a name comes. */
const FIRST_MS = HOUR_MS
const MOST_NAMES = 3

export const certificate: Condition = {
  name: 'certificate',
  afterMinutes: 5,
  mend: 'npm run operator -- certificate list says what each waits for, and certificate ask NAME tries again. A certificate of your own is read again as soon as the files of TLS_CERT and TLS_KEY change.',
  look: async (app) => {
    const now = app.clock.now()
    const optional = hostForMxOf(app)
    const rows = app.config.acme === null ? [] : await readNeeded(app.db)
    const { own = [], others = [] } = Object.groupBy(rows, ({ isOwn }) =>
      isOwn ? 'own' : 'others',
    )
    // That name need not lead here.
    const needed = own.filter(({ name, expiresAt }) => expiresAt !== null || name !== optional)
    return certificateTrouble([...(await shownCertificate(app)), ...needed], others, now)
  },
}

export type Needed = {
  name: string
  issuedAt: Date | null
  expiresAt: Date | null
  createdAt: Date
  trouble: string
}

/** `own`: names of the installation; `others`: of its customers, which are only counted. */
export const certificateTrouble = (
  own: readonly Needed[],
  others: readonly Needed[],
  now: Date,
): string | null => {
  const troubles = own.flatMap((needed) => troubleOf(needed, now) ?? [])
  const ending = others.filter((needed) => needed.expiresAt !== null && troubleOf(needed, now))
  const rest = troubles.length - MOST_NAMES
  const sentences = [
    ...troubles.slice(0, MOST_NAMES),
    ...(rest > 0 ? [`So it is with ${rest} more of our names.`] : []),
    ...(ending.length > 0
      ? [`Certificates of customers' names that run out and are refused: ${ending.length}.`]
      : []),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}

const troubleOf = (
  { name, issuedAt, expiresAt, createdAt, trouble }: Needed,
  now: Date,
): string | null => {
  if (issuedAt === null || expiresAt === null) {
    if (now.getTime() - createdAt.getTime() < FIRST_MS) return null
    return `${name} has no certificate.${trouble === '' ? '' : ` ${trouble}`}`
  }
  const leftMs = expiresAt.getTime() - now.getTime()
  const lifeMs = expiresAt.getTime() - issuedAt.getTime()
  if (leftMs >= Math.min(LEAST.ms, lifeMs * LEAST.share)) return null
  const verb = leftMs > 0 ? 'runs out at' : 'ran out at'
  return `The certificate of ${name} ${verb} ${timeText(expiresAt)}.${trouble === '' ? '' : ` ${trouble}`}`
}

/** That of the operator's files, or the self-signed one; none in a process that shows none. */
const shownCertificate = async ({ certificates, config }: App): Promise<Needed[]> => {
  if (config.acme !== null && config.tlsCertFile === null) return []
  if (config.tlsCertFile !== null) await certificates.load()
  if (certificates.expiresAt() === null) return []
  const shown = new X509Certificate(certificates.usual().cert)
  const [issuedAt, expiresAt] = [new Date(shown.validFrom), new Date(shown.validTo)]
  return [{ name: config.mailHost, issuedAt, expiresAt, createdAt: issuedAt, trouble: '' }]
}
