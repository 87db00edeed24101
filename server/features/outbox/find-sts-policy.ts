/**
 * The MTA-STS policy for mail to a domain (RFC 8461 §5.1). A fetched policy holds until it expires,
 * whatever DNS and the web server answer: otherwise an attacker who blocks them could switch it off.
 */

import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { getRemote } from '#server/lib/remote/get-remote.ts'
import { parseStsPolicy, type StsPolicy, stsIdIn } from '#server/standards/mta-sts.ts'
import { readStsPolicy, type StsPolicyRow, storeStsPolicy } from './sts-store.ts'

export type KnownPolicy = Pick<StsPolicy, 'mode' | 'mx'>

const AGAIN_AFTER_SECONDS = 300

/** null when there is none. Answers of DNS and the web server never make it throw. */
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

const LIMITS = {
  ...{ accept: 'text/plain', maxBytes: 64 * 1024, wholeMs: 20_000, maxRedirects: 0 },
  // Users of a web server may publish pages there, but rarely plain text (§3.2).
  contentType: /^text\/plain\s*(;|$)/i,
}

/**
 * Fetches a policy (RFC 8461 §3.3): over verified TLS, without redirects, at most 64 KB.
 * @throws with the reason when there is no usable policy.
 */
export const fetchStsPolicy = async (
  { dns, config }: Pick<App, 'dns' | 'config'>,
  domain: string,
  port: number,
): Promise<StsPolicy> => {
  const network = { dns, allowLoopbackPeers: config.allowLoopbackPeers }
  const url = `https://mta-sts.${domain}:${port}/.well-known/mta-sts.txt`
  const policy = parseStsPolicy((await getRemote(network, url, LIMITS)).toString('utf8'))
  if (policy === null) throw new Error('what is there is no policy')
  return policy
}

const announcedId = async (app: App, domain: string): Promise<string | null> => {
  const answer = await app.dns.lookUp(`_mta-sts.${domain}`, 'TXT')
  return answer.outcome === 'found' ? stsIdIn(answer.records.map(({ data }) => data)) : null
}

const policyIn = (row: StsPolicyRow | undefined, now: Date): KnownPolicy | null =>
  row !== undefined && row.mode !== null && row.expiresAt !== null && now < row.expiresAt
    ? { mode: row.mode, mx: row.mx }
    : null
