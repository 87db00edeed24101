/** What is done with a name that is due: looked up, asked for, renewed or revoked (decision 098). Errors wait for another time. */
import { X509Certificate } from 'node:crypto'
import type { App } from '#server/app.ts'
import { hostForMxOf } from '#server/features/domains/mail-server.ts'
import type { AcmeClient } from '#server/lib/acme/acme-client.ts'
import { AcmeTrouble } from '#server/lib/acme/acme-trouble.ts'
import type { ChallengeKind } from '#server/lib/acme/challenges.ts'
import { type Issued, orderCertificate } from '#server/lib/acme/order-certificate.ts'
import { renewalId, renewalWindow, revokeCertificate } from '#server/lib/acme/renewal.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { backoff } from '#server/lib/wait.ts'
import { announceCertificate } from '#server/storage/notifications.ts'
import { deleteAnswers, insertAnswer } from './acme-store.ts'
import { type CertificateRow, changeCertificate, deleteCertificate } from './certificates-store.ts'
import { keySealContext } from './key-seal.ts'
import { whyNotHere } from './leads-here.ts'
import { forgetAccount, openAccount } from './open-account.ts'

/** Of everything that is asked of a directory for one name. */
const AT_MOST_MS = 180_000
const ANSWER_SECONDS = HOUR_SECONDS
/** A directory takes five proofs that fail in an hour (Let's Encrypt). */
const FAILED_SECONDS = { first: 5 * 60, longest: DAY_SECONDS }
/** Between looks at a name that does not lead here: ours, of a domain that was added just now, and of another. */
const LOOK_SECONDS = { own: 60, young: HOUR_SECONDS, old: DAY_SECONDS }
/** From one certificate of a name to the next. */
const BETWEEN_SECONDS = HOUR_SECONDS
const YOUNG_SECONDS = 3 * DAY_SECONDS

/** `row` is claimed by us; afterwards it is not. */
export const tendCertificate = async (app: App, row: CertificateRow): Promise<void> => {
  const { acme } = app.config
  if (acme === null) return changeCertificate(app.db, row.name, {})
  try {
    const client = () => openAccount(app, acme, AbortSignal.timeout(AT_MOST_MS))
    if (row.revocation !== null) return await revoke(app, row, row.revocation, client)
    if (await isTooEarly(app, row, client)) return
    const elsewhere = await whyNotHere(app, row)
    if (elsewhere !== null) return await lookLater(app, row, elsewhere)
    await ask(app, row, await client())
  } catch (error) {
    if (!(error instanceof AcmeTrouble)) throw error
    if (error.type === 'accountDoesNotExist') await forgetAccount(app, acme)
    await noteTrouble(app, row, error)
  }
}

type OpenClient = () => Promise<AcmeClient>

/** Of a certificate that stands: the directory may have another time in mind (RFC 9773). */
const isTooEarly = async (app: App, row: CertificateRow, client: OpenClient): Promise<boolean> => {
  const { name, chain, renewAt } = row
  const now = app.clock.now()
  if (chain === null || renewAt === null || renewAt <= now) return false
  const plan = await planRenewal(app, row, await client())
  await changeCertificate(app.db, name, plan)
  return plan.nextLookAt > now
}

const lookLater = (app: App, row: CertificateRow, elsewhere: string): Promise<void> => {
  const now = app.clock.now()
  const isYoung = row.createdAt > secondsAfter(now, -YOUNG_SECONDS)
  const isNeeded = row.isOwn && row.name !== hostForMxOf(app)
  const seconds = LOOK_SECONDS[isNeeded ? 'own' : isYoung ? 'young' : 'old']
  if (isNeeded && row.trouble !== elsewhere)
    app.log.warn(`There is no certificate for ${row.name} yet: ${elsewhere}`)
  return changeCertificate(app.db, row.name, {
    ...{ trouble: elsewhere, nextLookAt: secondsAfter(now, seconds) },
  })
}

const ask = async (app: App, row: CertificateRow, client: AcmeClient): Promise<void> => {
  const { name, chain } = row
  const { db, clock } = app
  await changeCertificate(db, name, { askedAt: clock.now(), claimedUntil: row.claimedUntil })
  try {
    const issued = await orderCertificate(client, {
      ...{ name, kinds: kindsOf(app.config), signal: AbortSignal.timeout(AT_MOST_MS) },
      replaces: chain === null ? null : renewalId(chain),
      publish: (answer) =>
        insertAnswer(db, { ...answer, expiresAt: secondsAfter(clock.now(), ANSWER_SECONDS) }),
    })
    await keep(app, row, issued, client)
  } finally {
    await deleteAnswers(db, name, clock.now())
  }
}

/** A text under a path leaves the certificate that people see alone, and needs port 80. */
const kindsOf = ({ httpPort, httpsPort }: App['config']): ChallengeKind[] => {
  if (httpsPort === null) return ['http-01']
  return httpPort === null ? ['tls-alpn-01', 'http-01'] : ['http-01', 'tls-alpn-01']
}

const keep = async (
  app: App,
  row: CertificateRow,
  { chain, key }: Issued,
  client: AcmeClient,
): Promise<void> => {
  const { name } = row
  const leaf = new X509Certificate(chain)
  const [issuedAt, expiresAt] = [new Date(leaf.validFrom), new Date(leaf.validTo)]
  const keySealed = app.secrets.encrypt(key, keySealContext(name))
  // The renewal is planned afterwards: what was issued is kept whatever the directory answers then.
  const renewAt = twoThirds(issuedAt, expiresAt)
  await app.db.transaction().execute(async (tx) => {
    await changeCertificate(tx, name, {
      ...{ chain, keySealed, issuedAt, expiresAt, renewAt, nextLookAt: renewAt },
      ...{ failures: 0, trouble: '', claimedUntil: row.claimedUntil },
    })
    await announceCertificate(tx, name)
  })
  app.logEvent('certificate-issued', { name, expiresAt: expiresAt.toISOString() })
  const plan = await planRenewal(app, { chain, issuedAt, expiresAt, renewAt }, client)
  // Whatever the directory suggests for one that it has only just issued.
  const earliest = secondsAfter(app.clock.now(), BETWEEN_SECONDS)
  const nextLookAt = plan.nextLookAt < earliest ? earliest : plan.nextLookAt
  await changeCertificate(app.db, name, { ...plan, nextLookAt })
}

const twoThirds = (from: Date, to: Date): Date =>
  new Date(from.getTime() + ((to.getTime() - from.getTime()) * 2) / 3)

type Standing = Pick<CertificateRow, 'chain' | 'renewAt' | 'issuedAt' | 'expiresAt'>
type Plan = { renewAt: Date; nextLookAt: Date }

/** A moment in the window that the directory suggests; without one, after two thirds of the lifetime. */
const planRenewal = async (app: App, row: Standing, client: AcmeClient): Promise<Plan> => {
  const { chain, renewAt, issuedAt, expiresAt } = row
  if (chain === null || renewAt === null || issuedAt === null || expiresAt === null)
    throw new Error('there is no certificate to renew')
  const window = await renewalWindow(client, chain).catch((error: unknown) => {
    // It only advises: without advice, what was planned stays.
    if (error instanceof AcmeTrouble) return null
    throw error
  })
  if (window === null) return { renewAt, nextLookAt: renewAt }
  const { start, end } = window
  const isInside = renewAt >= start && renewAt <= end
  const chosen = isInside
    ? renewAt
    : new Date(start.getTime() + Math.random() * (end.getTime() - start.getTime()))
  const askAgainAt = secondsAfter(app.clock.now(), window.askAgainSeconds)
  return { renewAt: chosen, nextLookAt: chosen < askAgainAt ? chosen : askAgainAt }
}

/** One whose name is still ours is shown until the next one is there, which is asked for at once. */
const revoke = async (
  app: App,
  { name, chain, isOwn, domainId }: CertificateRow,
  reason: NonNullable<CertificateRow['revocation']>,
  client: OpenClient,
): Promise<void> => {
  if (chain !== null) {
    await revokeCertificate(await client(), chain, reason)
    app.logEvent('certificate-revoked', { name, reason })
  }
  const now = app.clock.now()
  if (isOwn || domainId !== null)
    return changeCertificate(app.db, name, { revocation: null, renewAt: now, nextLookAt: now })
  await app.db.transaction().execute(async (tx) => {
    await deleteCertificate(tx, name)
    await announceCertificate(tx, name)
  })
}

const noteTrouble = async (app: App, row: CertificateRow, trouble: AcmeTrouble): Promise<void> => {
  const { name } = row
  const failures = row.failures + 1
  const seconds = Math.max(backoff(failures, FAILED_SECONDS), trouble.retryAfterSeconds ?? 0)
  const nextLookAt = secondsAfter(app.clock.now(), seconds)
  const why = trouble.message
  await changeCertificate(app.db, name, { failures, trouble: why, nextLookAt })
  app.logEvent('certificate-refused', { name, why, nextLookAt: nextLookAt.toISOString() })
  if (row.isOwn) app.log.warn(`There is no new certificate for ${name}: ${why}`)
}
