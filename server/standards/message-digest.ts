/** The fields of a message that lists, threads and search need. They are taken from its bytes once, when it is stored. */
import type { Address, Email } from 'postal-mime'
import { oneLine, storable } from '#server/lib/plain-text.ts'
import { textOfHtml } from './html-text.ts'
import type { WrittenStructure } from './imap-texts/write-structure.ts'
import { type ContentFacts, contentFactsOf } from './junk/mail-facts.ts'
import { personName } from './mime/encoded-words.ts'
import { type SearchedText, searchedText } from './searched-text.ts'

type Person = { name: string; address: string }

export type MessageDigest = {
  subject: string
  from: Person | null
  to: Person[]
  cc: Person[]
  bcc: Person[]
  /** Without brackets; '' when missing. */
  messageId: string
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  preview: string
  hasAttachments: boolean
  /** Subject, people, file names and text, for the piece of text that a search shows. */
  searchText: string
  search: SearchedText
  /** Of all bytes of the mail; absent when they were not read in time. */
  structure?: WrittenStructure
  /** For the junk score; not stored. */
  content: ContentFacts
  /** Only the header was read in time: the message has to be read again. */
  isPartial?: true
}

const MAX_SUBJECT = 900
const MAX_PEOPLE = 200
const MAX_PREVIEW = 200
const MAX_REFERENCES = 50
/** Identifiers are indexed, and an index entry holds at most 2,700 bytes. */
const MAX_ID = 500
const MAX_SEARCH_TEXT = 200_000

export const digestOf = (email: Email): MessageDigest => {
  const text = storable(email.text ?? textOfHtml(email.html ?? ''))
  const subject = oneLine(email.subject ?? '', MAX_SUBJECT)
  const from = peopleOf(email.from === undefined ? [] : [email.from])[0] ?? null
  const to = peopleOf(email.to)
  const cc = peopleOf(email.cc)
  const bcc = peopleOf(email.bcc)
  const people = [...(from ? [from] : []), ...to, ...cc].map(textOfPerson)
  const fileNames = email.attachments.map(({ filename }) => filename ?? '')
  const hasAttachments = email.attachments.some((attachment) => attachment.related !== true)
  const searchText = searchTextOf([subject, ...people, ...fileNames, text])
  return {
    subject,
    from,
    to,
    cc,
    bcc,
    messageId: messageIdsIn(email.messageId ?? '')[0] ?? '',
    inReplyTo: messageIdsIn(email.inReplyTo ?? '')[0] ?? null,
    references: messageIdsIn(email.references ?? '').slice(-MAX_REFERENCES),
    preview: storable(text.slice(0, 2_000).replace(/\s+/g, ' ').trim(), MAX_PREVIEW),
    hasAttachments,
    searchText,
    search: searchedText({
      subject,
      sender: from ? textOfPerson(from) : '',
      recipients: [...to, ...cc, ...bcc].map(textOfPerson).join(' '),
      text: searchText,
      fileNames: hasAttachments ? fileNames : [],
    }),
    content: contentFactsOf(email),
  }
}

const textOfPerson = ({ name, address }: Person): string => `${name} ${address}`

/** Keeps the order, because users search for phrases. 500 characters without a space are not a word. */
const searchTextOf = (parts: string[]): string =>
  storable(
    parts
      .join('\n')
      .slice(0, MAX_SEARCH_TEXT)
      .split(/\s+/)
      .filter((word) => word.length < 500)
      .join(' '),
  )

/** Expands groups; at most 200 people. */
export const peopleOf = (addresses: readonly Address[] | undefined): Person[] =>
  (addresses ?? [])
    .flatMap((entry) => entry.group ?? [entry])
    .slice(0, MAX_PEOPLE)
    .map(({ name, address }) => ({
      name: personName(name ?? ''),
      address: oneLine(address ?? '', 320),
    }))

/** The identifiers in a field, without brackets. An identifier written without brackets counts when it is the whole value. */
const messageIdsIn = (value: string): string[] => {
  const text = storable(value).trim()
  const bracketed = [...text.matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id)
  const found = bracketed.length === 0 && /^\S+$/.test(text) ? [text] : bracketed
  return found.map((id) => storable(id, MAX_ID))
}
