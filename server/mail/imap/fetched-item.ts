/** The items of a FETCH answer: what each reads of a message, and its text (RFC 9051 §7.5.2). */
import { flagNames } from '#server/features/messages/by-uid/message-flags.ts'
import type { MessageByUid, MessageColumn } from '#server/features/messages/by-uid/read-by-uid.ts'
import { bodyText } from '#server/standards/imap-texts/body-text.ts'
import { envelopeText } from '#server/standards/imap-texts/envelope-text.ts'
import { stringText } from '#server/standards/imap-texts/strings.ts'
import type { FetchItem } from './wire/command.ts'
import { dateTimeText } from './wire/dates.ts'
import { flagsText } from './wire/flags.ts'

export type PlainItem = Exclude<FetchItem['item'], 'SECTION'>

/** Of what needs no bytes of the mail. */
type Written = {
  columns: readonly MessageColumn[]
  /** `message` has these columns; null: its bytes are lost. */
  text: (message: MessageByUid) => string | null
}

const written = <Column extends MessageColumn>(
  columns: readonly Column[],
  text: (message: Pick<MessageByUid, Column>) => string | null,
): Written => ({ columns, text })

const body = (isUtf8: boolean, isExtended: boolean): Written =>
  written(
    ['structure'],
    ({ structure }) => structure && bodyText(structure.part, { isUtf8, isExtended }),
  )
const preview = (isUtf8: boolean): Written =>
  written(['preview'], ({ preview }) => stringText(preview, isUtf8))

const items: Record<PlainItem, Written> = {
  FLAGS: written([...flagNames, 'keywords'], flagsText),
  UID: written(['uid'], ({ uid }) => String(uid)),
  INTERNALDATE: written(['date'], ({ date }) => dateTimeText(date)),
  'RFC822.SIZE': written(['sizeBytes'], ({ sizeBytes }) => String(sizeBytes)),
  ENVELOPE: written(['envelope'], ({ envelope }) => envelope),
  BODY: body(false, false),
  BODYSTRUCTURE: written(['bodyStructure'], ({ bodyStructure }) => bodyStructure),
  MODSEQ: written(['modseq'], ({ modseq }) => `(${modseq})`),
  EMAILID: written(['id'], ({ id }) => `(${id})`),
  THREADID: written(['threadId'], ({ threadId }) => `(${threadId})`),
  SAVEDATE: written(['savedAt', 'date'], ({ savedAt, date }) => dateTimeText(savedAt ?? date)),
  PREVIEW: preview(false),
}

/** For a client that takes UTF-8 (RFC 6855); the texts that are stored are for the others. */
const itemsInUtf8: Partial<Record<PlainItem, Written>> = {
  ENVELOPE: written(
    ['structure'],
    ({ structure }) => structure && envelopeText(structure.envelope, true),
  ),
  BODY: body(true, false),
  BODYSTRUCTURE: body(true, true),
  PREVIEW: preview(true),
}

export const plainItem = (name: PlainItem, isUtf8: boolean): Written =>
  (isUtf8 ? itemsInUtf8[name] : undefined) ?? items[name]
