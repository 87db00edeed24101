/** From the compose form to the bytes of a message. */
import { invalidField } from '#contract/errors.ts'
import { INVALID_RECIPIENT, NO_RECIPIENT, type Person } from '#contract/messages.ts'
import { parseMailbox } from '#server/standards/address.ts'
import { type Answered, replyHeaders } from '#server/standards/message-headers.ts'
import type { WrittenAttachment } from '#server/standards/message-writer.ts'
import { readTwinOfHtml } from '#server/standards/reading/read-message.ts'
import type { Signing } from '#server/standards/writing/write-and-sign.ts'
import { writeSigned } from '#server/standards/writing/write-large.ts'

export type ComposedForm = {
  to: string[]
  cc: string[]
  bcc: string[]
  from?: string | undefined
  subject: string
  text: string
  html?: string | undefined
  attachments: WrittenAttachment[]
  /** Another form of the text: an answer to an invitation (RFC 6047). */
  calendar?: { method: 'REPLY'; content: string }
}

export type Recipients = { to: Person[]; cc: Person[]; bcc: Person[] }

/** @throws VALIDATION at a recipient that is no address, or at `to` when a recipient is needed and missing. */
export const readRecipients = (form: ComposedForm, isNeeded: boolean): Recipients => {
  const read = (field: 'to' | 'cc' | 'bcc'): Person[] =>
    form[field].map((typed, n) => {
      const parsed = parseMailbox(typed)
      if (parsed === null) throw invalidField(`${field}.${n}`, INVALID_RECIPIENT)
      return parsed
    })
  const recipients = { to: read('to'), cc: read('cc'), bcc: read('bcc') }
  if (isNeeded && Object.values(recipients).every((people) => people.length === 0))
    throw invalidField('to', NO_RECIPIENT)
  return recipients
}

export type Composition = {
  form: ComposedForm
  from: Person
  recipients: Recipients
  answered: Answered | null
  /** Without angle brackets. */
  messageId: string
  at: Date
  /** null: do not sign (drafts). */
  signing: Signing | null
  /** Workspace id: parsing and composing take turns by workspace. */
  by: string
}

/** Bcc recipients are in the envelope only. */
export const composeMessage = async (composition: Composition): Promise<Buffer> => {
  const { form, from, recipients, answered, messageId, at, signing, by } = composition
  const { html, images } = withInlineImages(form.html ?? '', messageId)
  const reply = answered === null ? null : replyHeaders(answered)
  const message = {
    from,
    to: recipients.to,
    cc: recipients.cc,
    subject: form.subject,
    messageId,
    ...(reply ?? {}),
    date: at,
    text: form.text === '' ? ((await readTwinOfHtml(html, by)) ?? '') : form.text,
    ...(html === '' ? {} : { html }),
    ...(form.calendar && { calendar: form.calendar }),
    attachments: [...images, ...form.attachments],
  }
  return writeSigned(message, signing, by)
}

const dataImage =
  /(\bsrc\s*=\s*)(["'])data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)\2/gi

/** As many as attachments. Each is a MIME part of its own, and 100,000 parts take seconds to write. */
const MAX_INLINE_IMAGES = 100

/** Most mail clients do not show `data:` images, so those of the signature become inline parts (RFC 2392). */
const withInlineImages = (
  html: string,
  messageId: string,
): { html: string; images: WrittenAttachment[] } => {
  const images: WrittenAttachment[] = []
  const linked = html.replace(
    dataImage,
    (all, source: string, quote: string, type: string, data: string) => {
      if (images.length >= MAX_INLINE_IMAGES) return all
      const n = images.length + 1
      const contentId = `image${n}.${messageId}`
      images.push({
        filename: `image${n}.${type.slice('image/'.length)}`,
        contentType: type.toLowerCase(),
        content: Buffer.from(data, 'base64'),
        contentId,
      })
      return `${source}${quote}cid:${contentId}${quote}`
    },
  )
  return { html: linked, images }
}
