/** Domains that are probably misspelled: well-known names, endings that do not exist, and names that the reader knows. Pure. */
import { editsBetween } from './nearest.ts'

const WELL_KNOWN = [
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'yahoo.com', 'icloud.com'],
  ...['protonmail.com', 'proton.me', 't-online.de', 'freenet.de', 'example.com', 'example.org'],
]
/** One letter from a well-known name, and names themselves. */
const others = new Set(['mail.com', 'ymail.com', 'email.com', 'hotmail.co.uk', 'hotmail.de'])

const endings: Readonly<Record<string, string>> = {
  ...{ con: 'com', cmo: 'com', ocm: 'com', comm: 'com', vom: 'com', xom: 'com' },
  ...{ ogr: 'org', orgg: 'org', nte: 'net', ent: 'net', nett: 'net' },
}

/** Shorter names are near to too many others. */
const MIN_LENGTH = 8

/** The name that is probably meant; null: nothing speaks for a mistake. `known`: other names that may be meant. */
export function meantDomain(typed: string, known: Iterable<string> = []): string | null {
  const name = typed.toLowerCase()
  const dot = name.lastIndexOf('.') + 1
  const ending = endings[name.slice(dot)]
  const mended = ending ? `${name.slice(0, dot)}${ending}` : name
  if (others.has(mended) || WELL_KNOWN.includes(mended)) return mended === name ? null : mended
  const near =
    WELL_KNOWN.find((each) => isNear(mended, each)) ??
    [...known].find((each) => isNear(mended, each) && !differsInOne(mended, each))
  return near ?? (mended === name ? null : mended)
}

/** The address at the domain that is probably meant. */
export function meantAddress(address: string): string | null {
  const at = address.lastIndexOf('@') + 1
  const domain = at === 0 ? null : meantDomain(address.slice(at))
  return domain === null ? null : `${address.slice(0, at)}${domain}`
}

const isNear = (name: string, known: string): boolean =>
  name.length >= MIN_LENGTH && name !== known && editsBetween(name, known, 1) === 1

/** 'client1' and 'client2' are two names, not one that is misspelled. */
const differsInOne = (one: string, other: string): boolean =>
  one.length === other.length && [...one].filter((letter, at) => letter !== other[at]).length === 1
