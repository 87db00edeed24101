/** A message as a mail program handed it in (RFC 6409 §8): who it is from and to, and what is taken out and added before it is signed. Pure. */
import { addressParser } from 'postal-mime'
import { parseRecipient } from './address.ts'
import { withoutForgedResults } from './authentication-results.ts'
import { mailDate } from './message-headers.ts'
import { type HeaderLine, headerLinesOf, withoutFields } from './message-lines.ts'
import { personName } from './mime/encoded-words.ts'
import { envelopeAddresses } from './mime/structure/envelope-addresses.ts'

export type Authors = {
  /** Addresses as they stand in From. '' for a name without an address. */
  from: string[]
  sender: string[]
}

export type HeaderFault = 'no-field' | 'no-from' | 'several-from' | 'several-sender' | 'unclear'

/** A header that programs read differently could show another author than the one that was checked. */
export const headerFaultIn = (headers: readonly HeaderLine[]): HeaderFault | null => {
  if (headers.some(({ name }) => !/^[!-9;-~]+$/.test(name))) return 'no-field'
  const count = (wanted: string) => headers.filter(({ name }) => name === wanted).length
  if (count('from') === 0) return 'no-from'
  if (count('from') > 1) return 'several-from'
  if (count('sender') > 1) return 'several-sender'
  const values = [...valuesOf(headers, 'from'), ...valuesOf(headers, 'sender')]
  return values.every(isClear) ? null : 'unclear'
}

const quoted = /"(?:[^"\\]|\\.)*"/g
const entry = /^[^<>"\\]*(?:<[^<>@]*@[^<>@:]*>\s*(?:\([^()]*\)\s*)?)?$/

/** Each entry has one address in angle brackets at most, and nothing behind it: programs choose differently among two. */
const isClear = (value: string): boolean =>
  value
    .replaceAll(quoted, '')
    .split(/[,;]/)
    .every((each) => entry.test(each))

export const authorsIn = (headers: readonly HeaderLine[]): Authors => ({
  from: everyAddressIn(headers, 'from'),
  sender: everyAddressIn(headers, 'sender'),
})

/** By both parsers that read stored mail here: lists show what one finds, mail programs what the other does. */
const everyAddressIn = (headers: readonly HeaderLine[], name: string): string[] => [
  ...new Set(
    valuesOf(headers, name).flatMap((value) => [
      ...addressParser(value)
        .flatMap((entry) => entry.group ?? [entry])
        .map(({ address = '' }) => address.trim()),
      ...peopleIn(value).map(({ address }) => address),
    ]),
  ),
]

type Person = { name: string; address: string }

/** The people of To or Cc, by their address as deliveries have it. */
export const namedIn = (headers: readonly HeaderLine[], name: 'to' | 'cc'): Map<string, Person> =>
  new Map(
    valuesOf(headers, name)
      .flatMap(peopleIn)
      .flatMap((person) => {
        const address = parseRecipient(person.address)?.address
        return address === undefined ? [] : [[address, { name: person.name, address }]]
      }),
  )

const peopleIn = (value: string): Person[] =>
  envelopeAddresses(value).flatMap(([name, , mailbox, host]) =>
    // The marks of a group are no people.
    host === null ? [] : [{ name: personName(name ?? ''), address: `${mailbox ?? ''}@${host}` }],
  )

const valuesOf = (headers: readonly HeaderLine[], wanted: string): string[] =>
  headers.filter(({ name }) => name === wanted).map(({ line }) => textOf(line))

const textOf = (line: string): string =>
  Buffer.from(line.slice(line.indexOf(':') + 1), 'latin1')
    .toString()
    .replace(/\r\n/g, '')
    .replaceAll('\t', ' ')
    .trim()

export type Completed = {
  /** Ready to be signed. */
  message: Buffer
  /** The Bcc fields that were in it, for the sender's own copy; '' without. */
  bcc: string
}

/** Nobody else learns of blind copies, and no results of checks are ours that we did not write. The rest stays as it was written. */
export const completed = (
  raw: Buffer,
  { messageId, mailHost, at }: { messageId: string; mailHost: string; at: Date },
): Completed => {
  const headers = headerLinesOf(raw)
  const has = (wanted: string) => headers.some(({ name }) => name === wanted)
  const hidden = headers.filter(({ name }) => name === 'bcc' || name === 'resent-bcc')
  const added = [
    ...(has('date') ? [] : [`Date: ${mailDate(at)}\r\n`]),
    ...(has('message-id') ? [] : [`Message-ID: <${messageId}>\r\n`]),
  ]
  const shown = withoutForgedResults(withoutFields(raw, hidden), mailHost)
  return {
    message: added.length === 0 ? shown : Buffer.concat([Buffer.from(added.join('')), shown]),
    bcc: hidden.map(({ line }) => `${line}\r\n`).join(''),
  }
}

/** A Bcc field of addresses, in the form of `Completed.bcc`. */
export const bccField = (addresses: readonly string[]): string =>
  addresses.length === 0
    ? ''
    : `Bcc: ${Buffer.from(addresses.join(',\r\n ')).toString('latin1')}\r\n`
