/**
 * The MTA-STS policy that mail to a domain must keep to (RFC 8461 §5.1). What was fetched once holds until it runs
 * out, whatever DNS and the web say meanwhile: whoever could silence them could otherwise switch it off.
 */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { type StsPolicy, stsIdIn } from '#server/standards/mta-sts.ts'
import { fetchStsPolicy } from './fetch-sts-policy.ts'
import { readStsPolicy, type StsPolicyRow, storeStsPolicy } from './sts-store.ts'

export type KnownPolicy = Pick<StsPolicy, 'mode' | 'mx'>

const AGAIN_AFTER_SECONDS = 300

/** null when there is none. Never throws for what DNS or the web server say. */
export const findStsPolicy = async (
  app: App,
  domain: string,
  port: number,
): Promise<KnownPolicy | null> => {
  const [id, row] = await Promise.all([announcedId(app, domain), readStsPolicy(app.db, domain)])
  const now = app.clock.now()
  const known = policyIn(row, now)
  if (id === null || (known !== null && row?.policyId === id)) return known
  const isJustTried = row?.triedId === id && now < secondsAfter(row.triedAt, AGAIN_AFTER_SECONDS)
  if (isJustTried) return known
  const tried = { domain, triedId: id, triedAt: now }
  try {
    const { mode, mx, maxAgeSeconds } = await fetchStsPolicy(app, domain, port)
    const expiresAt = secondsAfter(now, maxAgeSeconds)
    await storeStsPolicy(app.db, {
      ...tried,
      ...{ policyId: id, mode, mx: JSON.stringify(mx), expiresAt },
    })
    return { mode, mx }
  } catch (error) {
    app.log.info({ err: error, domain }, 'the MTA-STS policy could not be fetched')
    await storeStsPolicy(app.db, tried)
    return known
  }
}

const announcedId = async (app: App, domain: string): Promise<string | null> => {
  const answer = await app.dns.lookUp(`_mta-sts.${domain}`, 'TXT')
  return answer.outcome === 'found' ? stsIdIn(answer.records.map(({ data }) => data)) : null
}

const policyIn = (row: StsPolicyRow | undefined, now: Date): KnownPolicy | null =>
  row !== undefined && row.mode !== null && row.expiresAt !== null && now < row.expiresAt
    ? { mode: row.mode, mx: row.mx }
    : null
