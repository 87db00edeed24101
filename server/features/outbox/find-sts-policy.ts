/**
 * The MTA-STS policy that mail to a domain must keep to (RFC 8461 §5.1). What was fetched once holds until it runs
 * out, whatever DNS and the web say meanwhile: whoever could silence them could otherwise switch it off.
 */

import { type RequestOptions, request } from 'node:https'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { guardedLookup } from '#server/lib/network-guard.ts'
import { parseStsPolicy, type StsPolicy, stsIdIn } from '#server/standards/mta-sts.ts'
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

const MAX_BYTES = 64 * 1024
const WHOLE_MS = 20_000

/**
 * Fetches a policy as RFC 8461 §3.3 asks: over verified TLS, no redirect followed, and not much of it.
 * @throws with the reason when there is no policy to be had.
 */
export const fetchStsPolicy = async (
  { dns, config }: Pick<App, 'dns' | 'config'>,
  domain: string,
  port: number,
): Promise<StsPolicy> => {
  const policy = parseStsPolicy(
    await get({
      host: `mta-sts.${domain}`,
      port,
      path: '/.well-known/mta-sts.txt',
      agent: false,
      lookup: guardedLookup(dns, config.allowLoopbackPeers),
      signal: AbortSignal.timeout(WHOLE_MS),
      headers: { accept: 'text/plain' },
    }),
  )
  if (policy === null) throw new Error('what is there is no policy')
  return policy
}

const get = (options: RequestOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const type = response.headers['content-type'] ?? ''
      const refuse = (why: string) => {
        asked.destroy()
        reject(new Error(why))
      }
      if (response.statusCode !== 200) return refuse(`it answered ${response.statusCode}`)
      // Others may be let put pages, but hardly plain text, on a web server (§3.2).
      if (!/^text\/plain\s*(;|$)/i.test(type)) return refuse(`it is '${type}' and no plain text`)
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_BYTES) refuse('it is longer than 64 KB')
        else chunks.push(chunk)
      })
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })

const announcedId = async (app: App, domain: string): Promise<string | null> => {
  const answer = await app.dns.lookUp(`_mta-sts.${domain}`, 'TXT')
  return answer.outcome === 'found' ? stsIdIn(answer.records.map(({ data }) => data)) : null
}

const policyIn = (row: StsPolicyRow | undefined, now: Date): KnownPolicy | null =>
  row !== undefined && row.mode !== null && row.expiresAt !== null && now < row.expiresAt
    ? { mode: row.mode, mx: row.mx }
    : null
