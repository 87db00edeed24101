/** What lists, threads and search need of a message, taken from its bytes once, when it is stored. */
import type { Address, Email } from 'postal-mime'
import { textOfHtml } from './html-text.ts'
import { type ContentFacts, contentFactsOf } from './junk/mail-facts.ts'
import { oneLine, personName } from './mime/encoded-words.ts'

type Person = { name: string; address: string }

export type MessageDigest = {
  subject: string
  from: Person | null
  to: Person[]
  cc: Person[]
  bcc: Person[]
  /** Without brackets, '' when missing. */
  messageId: string
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  preview: string
  hasAttachments: boolean
  /** Subject, people, names of files and text, for search. */
  searchText: string
  /** For judging whether it is wanted; not stored. */
  content: ContentFacts
  /** There was no time for more than the header: it is to be read again. */
  isPartial?: true
}

const MAX_SUBJECT = 900
const MAX_PEOPLE = 200
const MAX_PREVIEW = 200
const MAX_REFERENCES = 50
/** Identifiers go into an index, whose entries are at most 2,700 bytes. */
const MAX_ID = 500
const MAX_SEARCH_TEXT = 200_000

export const digestOf = (email: Email): MessageDigest => {
  const text = clean(email.text ?? textOfHtml(email.html ?? ''))
  const subject = oneLine(email.subject ?? '', MAX_SUBJECT)
  const from = peopleOf(email.from === undefined ? [] : [email.from])[0] ?? null
  const to = peopleOf(email.to)
  const cc = peopleOf(email.cc)
  const people = [...(from ? [from] : []), ...to, ...cc].map((p) => `${p.name} ${p.address}`)
  const filenames = email.attachments.map(({ filename }) => filename ?? '')
  return {
    subject,
    from,
    to,
    cc,
    bcc: peopleOf(email.bcc),
    messageId: messageIdsIn(email.messageId ?? '')[0] ?? '',
    inReplyTo: messageIdsIn(email.inReplyTo ?? '')[0] ?? null,
    references: messageIdsIn(email.references ?? '').slice(-MAX_REFERENCES),
    preview: cut(text.slice(0, 2_000).replace(/\s+/g, ' ').trim(), MAX_PREVIEW),
    hasAttachments: email.attachments.some((attachment) => attachment.related !== true),
    searchText: searchTextOf([subject, ...people, ...filenames, text]),
    content: contentFactsOf(email),
  }
}

/** In its order, since phrases are looked for. What has 500 characters and no space is no word. */
const searchTextOf = (parts: string[]): string =>
  clean(
    parts
      .join('\n')
      .slice(0, MAX_SEARCH_TEXT)
      .split(/\s+/)
      .filter((word) => word.length < 500)
      .join(' '),
  )

/** Text that PostgreSQL takes: no NUL, no half of a surrogate pair. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A cut may halve a pair, which JSON in PostgreSQL does not take at all. */
const cut = (text: string, max: number): string => clean(text).slice(0, max).toWellFormed()

/** Groups are unfolded; at most 200 people. */
export const peopleOf = (addresses: readonly Address[] | undefined): Person[] =>
  (addresses ?? [])
    .flatMap((entry) => entry.group ?? [entry])
    .slice(0, MAX_PEOPLE)
    .map(({ name, address }) => ({
      name: personName(name ?? ''),
      address: oneLine(address ?? '', 320),
    }))

/** The identifiers in a field, without brackets; one without brackets counts when it stands alone. */
const messageIdsIn = (value: string): string[] => {
  const text = clean(value).trim()
  const bracketed = [...text.matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id)
  const found = bracketed.length === 0 && /^\S+$/.test(text) ? [text] : bracketed
  return found.map((id) => cut(id, MAX_ID))
}
