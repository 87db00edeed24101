/** Domain names: one form to compare (A-labels, lower case), one to show, and the names nobody can bring here. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { domainToAscii } from './address.ts'

/**
 * As people read it. A label that mixes scripts stays an A-label, since it may imitate another (UTS 39 §5.1);
 * so does one that does not map back to itself.
 */
export const toUnicodeDomain = (name: string): string =>
  name.includes('xn--') ? name.split('.').map(toUnicodeLabel).join('.') : name

const toUnicodeLabel = (ascii: string): string => {
  if (!ascii.startsWith('xn--')) return ascii
  const shown = domainToUnicode(ascii)
  return isOneScript(shown) && domainToASCII(shown) === ascii ? shown : ascii
}

/** Scripts that are written together. */
const together = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]*$/u,
  ...[
    ...[
      'Cyrillic',
      'Greek',
      'Arabic',
      'Hebrew',
      'Devanagari',
      'Bengali',
      'Thai',
      'Armenian',
      'Georgian',
    ],
    ...[
      'Tamil',
      'Telugu',
      'Gujarati',
      'Gurmukhi',
      'Kannada',
      'Malayalam',
      'Sinhala',
      'Khmer',
      'Lao',
    ],
    ...['Myanmar', 'Ethiopic', 'Tibetan', 'Mongolian'],
  ].map(
    (script) =>
      new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}]*$`, 'u'),
  ),
]

const isOneScript = (text: string): boolean => together.some((scripts) => scripts.test(text))

/** RFC 6761 and its registry: names that never belong to somebody on the Internet. */
const specialUse = ['localhost', 'local', 'invalid', 'internal', 'onion', 'alt', 'arpa']
const forTests = ['test', 'example']

export type ReadDomain = { name: string } | { refusal: string }

/**
 * Reads a domain that somebody wants to add. `allowTestNames` lets `.test` and `.example` through.
 * example.com, .net and .org are ordinary names here: they have owners, and only those can prove it.
 */
export const readDomainName = (text: string, allowTestNames: boolean): ReadDomain => {
  if (isIpLike(text)) return { refusal: 'Please enter a domain name, not an IP address' }
  const name = domainToAscii(text)
  if (name === null) return { refusal: 'Invalid domain format (example: example.com)' }
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (specialUse.includes(last) || (forTests.includes(last) && !allowTestNames))
    return { refusal: `Names ending in .${last} are reserved and cannot receive mail` }
  if (isPublicSuffix(name))
    return { refusal: `${toUnicodeDomain(name)} is a public suffix; please enter a name below it` }
  return { name }
}

/** Private suffixes such as github.io have owners who may prove them; ICANN's have none. */
export const isPublicSuffix = (name: string): boolean => {
  const { publicSuffix, isIcann } = parse(name, { allowPrivateDomains: false })
  return isIcann === true && publicSuffix === name
}

/** Also what the URL parser reads as IPv4: 127.1, 0x7f.0.0.1. */
const isIpLike = (text: string): boolean =>
  isIP(text) !== 0 || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(text) || isIP(domainToASCII(text)) !== 0
