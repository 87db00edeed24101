/** Domain names: A-labels in lower case to compare, Unicode to display, and the names that no workspace can add. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { domainToAscii } from './address.ts'

/**
 * The name in Unicode, for display. A label that mixes scripts stays an A-label, because it may imitate another name (UTS 39
 * §5.1); so does a label that does not map back to itself.
 */
export const toUnicodeDomain = (name: string): string =>
  name.includes('xn--') ? name.split('.').map(toUnicodeLabel).join('.') : name

const toUnicodeLabel = (ascii: string): string => {
  if (!ascii.startsWith('xn--')) return ascii
  const unicode = domainToUnicode(ascii)
  return isOneScript(unicode) && domainToASCII(unicode) === ascii ? unicode : ascii
}

/** Sets of scripts that are used together in one language. */
const scriptSets = [
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

const isOneScript = (text: string): boolean => scriptSets.some((scripts) => scripts.test(text))

/** Names that are reserved and never registered (RFC 6761 and its registry). */
const specialUse = ['localhost', 'local', 'invalid', 'internal', 'onion', 'alt', 'arpa']
const forTests = ['test', 'example']

export type ReadDomain = { name: string } | { refusal: string }

/**
 * Parses a domain that a user wants to add. `allowTestNames` accepts `.test` and `.example`. example.com, .net and .org are
 * treated as ordinary names: only their owner can prove ownership.
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

/** Only ICANN's suffixes count: a private suffix such as github.io has an owner, who can prove ownership. */
export const isPublicSuffix = (name: string): boolean => {
  const { publicSuffix, isIcann } = parse(name, { allowPrivateDomains: false })
  return isIcann === true && publicSuffix === name
}

/** Includes every spelling that the URL parser reads as IPv4: 127.1, 0x7f.0.0.1. */
const isIpLike = (text: string): boolean =>
  isIP(text) !== 0 || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(text) || isIP(domainToASCII(text)) !== 0
