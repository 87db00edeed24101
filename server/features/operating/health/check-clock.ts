/** Our clock beside those of others: a wrong one breaks signatures, certificates and sign-ins. */
import { request } from 'node:http'
import { guardedLookup, isLoopback } from '#server/lib/network-guard.ts'
import { command, type Finding, good, type HealthApp, unknown, wrong } from './finding.ts'
import { readDatabase } from './health-store.ts'

type Place = { host: string; port: number }

/** Asked over plain HTTP: with a wrong clock no certificate is valid. */
const WELL_KNOWN: readonly Place[] = [
  'www.google.com',
  'www.cloudflare.com',
  'www.wikipedia.org',
].map((host) => ({ host, port: 80 }))
const ANSWER_MS = 5_000
const MAX_HEADER_BYTES = 16_384
const ALLOWED_MS = 30_000

export const checkClock = async (
  app: HealthApp,
  places: readonly Place[] = WELL_KNOWN,
): Promise<Finding[]> => {
  const seen = (await Promise.all(places.map((place) => differenceFrom(app, place)))).flatMap(
    (ms) => ms ?? [],
  )
  const byDatabase = seen.length === 0 ? await differenceFromDatabase(app) : null
  const all = byDatabase === null ? seen : [byDatabase]
  if (all.length === 0)
    return [
      unknown(
        'Nobody could be asked for the time.',
        'Look whether this machine keeps its time.',
        command('timedatectl'),
      ),
    ]
  // One that agrees is enough: the others may be wrong, but not all in the same way.
  const least = Math.min(...all.map(Math.abs))
  const of = byDatabase === null ? 'that of others' : 'that of the database'
  if (least <= ALLOWED_MS) return [good(`It agrees with ${of}.`)]
  const [by = 0] = all.filter((ms) => Math.abs(ms) === least)
  return [
    wrong(
      `The clock is ${durationOf(least)} ${by > 0 ? 'ahead of' : 'behind'} ${of}, which breaks certificates and sign-ins.`,
      'Let the machine keep its time by NTP.',
      command('timedatectl set-ntp true'),
    ),
  ]
}

const durationOf = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`
}

/** In milliseconds, above 0: we are ahead. null: no answer, or one without a time. */
const differenceFrom = (
  { dns, config, clock }: HealthApp,
  { host, port }: Place,
): Promise<number | null> =>
  new Promise((resolve) => {
    const asked = request({
      ...{ host, port, method: 'HEAD', path: '/', agent: false, maxHeaderSize: MAX_HEADER_BYTES },
      lookup: guardedLookup(dns, config.allowLoopbackPeers),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    asked.on('error', () => resolve(null))
    asked.on('response', ({ headers }) => {
      asked.destroy()
      const there = Date.parse(headers.date ?? '')
      resolve(Number.isNaN(there) ? null : clock.now().getTime() - there)
    })
    asked.end()
  })

/** null: it is on this machine, and has the same clock. */
const differenceFromDatabase = async ({ config, db, clock }: HealthApp): Promise<number | null> => {
  const host = config.databaseUrl === null ? '' : new URL(config.databaseUrl).hostname
  if (host === '' || isLoopback(host)) return null
  return clock.now().getTime() - (await readDatabase(db)).now.getTime()
}
