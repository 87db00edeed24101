/** For a loop: keeps the list of names, and tends those that are due. */
import type { App } from '#server/app.ts'
import { hostForMxOf, webHostOf } from '#server/features/domains/mail-server.ts'
import { HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import {
  type CertificateRow,
  changeCertificate,
  claimName,
  keepWantedNames,
} from './certificates-store.ts'
import { tendCertificate } from './tend-certificate.ts'

/** A directory that hangs holds up no more than these. */
const AT_ONCE = 3
/** Longer than anything that is done with a name. */
const CLAIM_SECONDS = 600
const NAMES_SECONDS = 10
/** Let's Encrypt takes 300 orders in three hours; some are left for our own names. */
const LIMIT = { orders: 250, seconds: 3 * HOUR_SECONDS }
const AFTER_FAULT_SECONDS = HOUR_SECONDS

/** By installation: when the names were last collected. */
const collectedAt = new WeakMap<App, number>()

export const tendCertificates = async (app: App, isClosing: () => boolean): Promise<void> => {
  if (app.config.acme === null) return
  await collectNames(app)
  const one = async () => {
    while (!isClosing()) {
      const row = await claim(app)
      if (row === undefined) return
      await tendOrWait(app, row)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

const collectNames = async (app: App): Promise<void> => {
  const now = app.clock.now()
  const last = collectedAt.get(app) ?? Number.NEGATIVE_INFINITY
  if (Math.abs(now.getTime() - last) < NAMES_SECONDS * 1000) return
  await app.certificates.load()
  await app.db.transaction().execute((tx) => keepWantedNames(tx, ownNames(app), now))
  collectedAt.set(app, now.getTime())
}

/** MAIL_HOST first, then the host of PUBLIC_URL and that for programs that know the MX, but for those that TLS_CERT is for. */
export const ownNames = (app: App): string[] => {
  const names = new Set([app.config.mailHost, webHostOf(app), hostForMxOf(app)])
  return [...names].filter(
    (name): name is string => name?.includes('.') === true && !app.certificates.isCovered(name),
  )
}

const claim = (app: App): Promise<CertificateRow | undefined> => {
  const now = app.clock.now()
  return app.db.transaction().execute((tx) =>
    claimName(tx, {
      ...{ now, until: secondsAfter(now, CLAIM_SECONDS) },
      ...{ since: secondsAfter(now, -LIMIT.seconds), mostOrders: LIMIT.orders },
    }),
  )
}

/** A fault of ours with one name must not hold up the others. */
const tendOrWait = async (app: App, row: CertificateRow): Promise<void> => {
  try {
    await tendCertificate(app, row)
  } catch (error) {
    app.log.error({ err: error, name: row.name }, 'a certificate could not be tended')
    const nextLookAt = secondsAfter(app.clock.now(), AFTER_FAULT_SECONDS)
    await changeCertificate(app.db, row.name, { nextLookAt })
  }
}
