/** Sends what was written or saves it as a draft, and removes the draft that it replaces. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { deleteMessage, sendMessage } from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import type { LocalImages } from '#web/ui/editor/local-images.ts'
import { withQuotation } from './quotation.ts'
import type { ComposeErrors, ComposeValues } from './use-compose-fields.ts'

export async function send(
  mailbox: Mailbox,
  values: ComposeValues,
  images: LocalImages,
  isDraft: boolean,
): Promise<void> {
  const body = await images.embed(values.body)
  const quotation = values.isQuoted ? values.quotation : ''
  const html = withQuotation(body, quotation, isDraft ? values.inReplyTo : undefined)
  await call(sendMessage, {
    params: { id: mailbox._id },
    body: {
      ...(values.from === mailbox.email ? {} : { from: values.from }),
      to: values.to,
      cc: values.cc,
      bcc: values.bcc,
      subject: values.subject,
      ...(html === '' ? {} : { html }),
      attachments: values.attachments.map(({ filename, contentType, content }) => ({
        filename,
        contentType,
        content,
      })),
      ...(values.inReplyTo ? { inReplyTo: values.inReplyTo } : {}),
      draft: isDraft,
    },
  })
  // The new one is safe: that the old one stays is no reason to say that it failed.
  if (values.draftId) await removeDraft(mailbox, values.draftId).catch(() => undefined)
}

export const removeDraft = (mailbox: Mailbox, draftId: string): Promise<unknown> =>
  call(deleteMessage, { params: { id: mailbox._id, messageId: draftId } })

/** Messages that belong to a field; empty when the refusal is about the whole. */
export function fieldErrorsOf(error: unknown): ComposeErrors {
  if (!(error instanceof ApiError) || error.type !== 'VALIDATION') return {}
  return Object.fromEntries(
    Object.entries(error.data).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    ),
  )
}

export function refusalOf(error: unknown, isDraft: boolean): string {
  const type = error instanceof ApiError ? error.type : ''
  if (type === 'MAILBOX_NOT_ACTIVE') return cannotSend
  if (type === 'DOMAIN_NOT_ACTIVE')
    return 'The domain of this mailbox is not active yet. Publish its DNS records first; until then nothing can be sent. You can save a draft.'
  if (type === 'NO_ANSWER')
    return isDraft
      ? 'The server did not answer. What you wrote is still here; please try again.'
      : 'The server did not answer. What you wrote is still here. Look into Sent before you send it again: it may have gone out.'
  if (type === 'NOT_EXISTS')
    return 'The message that you answer was deleted, or the mailbox is gone. What you wrote is still here.'
  return messageOf(error)
}

export const cannotSend =
  'This mailbox is not active, so it cannot send. You can save a draft and send it later.'
