/** Finds mistyped domains of the large mail providers. Only neighbours of well-known names are asked about. */
import { addressIn } from './people.ts'

const PROVIDERS = [
  ...['gmail.com', 'googlemail.com', 'hotmail.com', 'outlook.com', 'live.com', 'yahoo.com'],
  ...['icloud.com', 'me.com', 'aol.com', 'proton.me', 'protonmail.com', 'fastmail.com'],
  ...[
    'mail.com',
    'email.com',
    'ymail.com',
    'gmx.com',
    'live.de',
    'gmx.de',
    'gmx.net',
    'gmx.at',
    'gmx.ch',
    'web.de',
    't-online.de',
    'freenet.de',
  ],
  ...['hotmail.de', 'outlook.de', 'yahoo.de', 'hotmail.fr', 'yahoo.fr', 'orange.fr', 'free.fr'],
  ...['hotmail.co.uk', 'yahoo.co.uk', 'btinternet.com', 'libero.it', 'mail.ru', 'yandex.ru'],
]
const known = new Set(PROVIDERS)

/** Endings that no registry has, or that are hardly meant. */
const endings: readonly [wrong: RegExp, right: string][] = [
  [/\.(?:con|cmo|ocm|vom|xom|comm|cpm|coom|co,)$/, '.com'],
  [/\.(?:nte|ent|nett)$/, '.net'],
  [/\.(?:rog|ogr)$/, '.org'],
]

/** Names so short that one letter makes another name: only their endings are looked at. */
const MIN_LENGTH = 5

const nameOf = (domain: string): string => domain.slice(0, domain.indexOf('.'))
const endingOf = (domain: string): string => domain.slice(domain.indexOf('.'))

/** Whether one letter is missing, too much or another one, or two neighbours are swapped. */
export function isNear(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [rest, otherRest] = [one.slice(start), other.slice(start)]
  const isSwapped =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
  return (
    isSwapped ||
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1)
  )
}

/** The domain that was probably meant; null: this one. */
export function meantDomain(domain: string): string | null {
  const written = domain.toLowerCase()
  if (known.has(written)) return null
  const mended = endings.reduce((name, [wrong, right]) => name.replace(wrong, right), written)
  if (known.has(mended)) return mended
  const near = PROVIDERS.find(
    (provider) =>
      nameOf(provider).length >= MIN_LENGTH &&
      endingOf(provider) === endingOf(mended) &&
      isNear(nameOf(mended), nameOf(provider)),
  )
  return near ?? (mended === written ? null : mended)
}

export type Meant = { domain: string; written: string; entry: string }

/** `entry`: the recipient with the domain that was probably meant. */
export function meantAddress(entry: string): Meant | null {
  const written = addressIn(entry)
  const at = written.lastIndexOf('@')
  const domain = at < 1 ? null : meantDomain(written.slice(at + 1))
  if (domain === null) return null
  const meant = `${written.slice(0, at)}@${domain}`
  const place = entry.lastIndexOf(written)
  return {
    domain,
    written,
    entry: entry.slice(0, place) + meant + entry.slice(place + written.length),
  }
}
