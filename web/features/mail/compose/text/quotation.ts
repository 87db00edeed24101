/** The original below an answer, kept apart from what one writes so that the editor does not flatten it. */
import type { Message } from '#contract/messages.ts'
import { formatMoment } from '#web/lib/format.ts'
import { openRoom } from '../../safe-html/safe-room.ts'
import { sanitisedHtml } from '../../safe-html/sanitise-mail.ts'
import { formatPerson } from '../recipients/people.ts'
import { forEditor, QUOTE_STYLE } from './mail-html.ts'

const CLASS = 'mailstead-quote'

const escaped = (text: string): string => {
  const holder = document.createElement('div')
  holder.textContent = text
  return holder.innerHTML
}

const contentOf = async (message: Message, images: ReadonlyMap<string, string>): Promise<string> =>
  message.html === null
    ? `<div style="white-space: pre-wrap">${escaped(message.text)}</div>`
    : sanitisedHtml(message.html, await openRoom(), { images })

export async function replyQuotation(
  message: Message,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const who = message.from ? formatPerson(message.from) : 'someone'
  const line = escaped(`On ${formatMoment(message.date)}, ${who} wrote:`)
  return `<div>${line}</div><blockquote type="cite" style="${QUOTE_STYLE}">${await contentOf(message, images)}</blockquote>`
}

export async function forwardQuotation(
  message: Message,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const lines = [
    '---------- Forwarded message ----------',
    `From: ${message.from ? formatPerson(message.from) : ''}`,
    `Date: ${formatMoment(message.date)}`,
    `Subject: ${message.subject}`,
    `To: ${message.to.map(formatPerson).join(', ')}`,
    ...(message.cc.length > 0 ? [`Cc: ${message.cc.map(formatPerson).join(', ')}`] : []),
  ]
  return `<div>${lines.map(escaped).join('<br>')}</div><br>${await contentOf(message, images)}`
}

export const withQuotation = (body: string, quotation: string): string =>
  quotation === '' ? body : `${body}<div class="${CLASS}">${quotation}</div>`

export type Written = { body: string; quotation: string }

/** Takes a draft apart again. Parsed without a window, so that nothing in it loads or runs. */
export async function withoutQuotation(
  html: string,
  images: ReadonlyMap<string, string>,
): Promise<Written> {
  const room = await openRoom()
  const parsed = new room.DOMParser().parseFromString(html, 'text/html')
  const last = parsed.body.lastElementChild
  const quoted = last?.classList.contains(CLASS) ? last : null
  quoted?.remove()
  return {
    body: forEditor(
      sanitisedHtml(parsed.body.innerHTML, room, { images, isForEditor: true }),
      room,
    ),
    quotation: quoted ? sanitisedHtml(quoted.innerHTML, room, { images }) : '',
  }
}

export const editableHtml = async (html: string): Promise<string> =>
  html === '' ? '' : sanitisedHtml(html, await openRoom(), { isForEditor: true })

export const plainAsHtml = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')
