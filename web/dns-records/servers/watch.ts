/** 'Published?' and 'Visible?': what the servers said of a record, in the words of the page. Pure. */
import { type DnsRecord, isWrong, type Sighting } from '#contract/domains.ts'

/** right: what we ask for. wrong: something else. missing: nothing. silent: no answer. */
export type Mark = 'right' | 'wrong' | 'missing' | 'silent'
export type Watched = {
  server: string
  mark: Mark
  /** What it has, or why it said nothing. */
  said: string
  /** Of a resolver, how long it may go on with what it said; 0 when that is over, null when it need not change. */
  waitSeconds: number | null
}
export type Watch = { published: Watched[]; visible: Watched[] }

/** null before the first look. `now` is null where time is not counted. */
export function watchOf(record: DnsRecord, now: number | null): Watch | null {
  const { sightings, checkedAt } = record
  if (sightings === null) return null
  const elapsed =
    now === null || checkedAt === null ? null : (now - new Date(checkedAt).getTime()) / 1000
  return {
    published: sightings.published.map((sighting) => ({ ...seen(sighting), waitSeconds: null })),
    visible: sightings.visible.map((sighting) => {
      const { mark, ...rest } = seen(sighting)
      const isOld = mark === 'wrong' || mark === 'missing'
      const left = elapsed === null ? null : Math.ceil(sighting.ttlSeconds - elapsed)
      // A clock of this computer that goes wrong makes nobody wait for longer than the server does.
      const wait = left === null ? null : Math.max(0, Math.min(left, sighting.ttlSeconds))
      return { ...rest, mark, waitSeconds: isOld ? wait : null }
    }),
  }
}

const seen = ({ server, state, values, reason }: Sighting) => {
  const mark = markOf(state, values)
  return { server, mark, said: { ...said, wrong: values.join(', '), silent: reason }[mark] }
}

/** Beside an SPF record stand texts that have nothing to do with us: only what is wrong is quoted. */
const said = { right: 'The right record', missing: 'Nothing' }

const markOf = (state: Sighting['state'], values: readonly string[]): Mark => {
  if (state === 'verified') return 'right'
  if (state === 'unknown') return 'silent'
  return state === 'waiting' || values.length === 0 ? 'missing' : 'wrong'
}

/** A resolver still says something else, and may forget it any moment. */
export const isRememberedOtherwise = ({ sightings }: DnsRecord): boolean =>
  sightings?.visible.some(isWrong) ?? false

/** On some and not on others: worth a closer look without being asked. */
export const isSpreading = ({ published, visible }: Watch): boolean => {
  const asked = [...published, ...visible].filter(({ mark }) => mark !== 'silent')
  return asked.some(isRight) && !asked.every(isRight)
}

const isRight = ({ mark }: Watched): boolean => mark === 'right'

export function publishedWords({ published }: Watch): string {
  if (published.length === 0) return 'No name server'
  return wordsOf(published) ?? 'Not yet'
}

export function visibleWords(watch: Watch): string {
  const { published, visible } = watch
  if (visible.length === 0) return 'No resolver'
  const words = wordsOf(visible)
  // Until it is published there is nothing to wait for.
  const isPublished = published.length > 0 && published.every(isRight)
  const wait = isPublished ? longestWait(visible) : null
  if (wait === null) return words ?? 'Not yet'
  const when = wait === 0 ? 'any moment' : `within ${waitWords(wait)}`
  return words === null ? capital(when) : `${words}, the rest ${when}`
}

const wordsOf = (servers: readonly Watched[]): string | null => {
  const right = servers.filter(isRight).length
  if (right === servers.length) return 'Yes'
  if (servers.every(({ mark }) => mark === 'silent')) return 'No answer'
  return right === 0 ? null : `On ${right} of ${servers.length}`
}

const longestWait = (visible: readonly Watched[]): number | null => {
  const waits = visible.flatMap(({ waitSeconds }) => waitSeconds ?? [])
  return waits.length === 0 ? null : Math.max(...waits)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** '41 s', '3 min 20 s', '2 h 5 min': to be counted down. */
export function waitWords(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const parts =
    hours > 0
      ? [`${hours} h`, minutes > 0 ? `${minutes} min` : '']
      : [minutes > 0 ? `${minutes} min` : '', seconds % 60 > 0 ? `${seconds % 60} s` : '']
  return parts.filter((part) => part !== '').join(' ')
}
