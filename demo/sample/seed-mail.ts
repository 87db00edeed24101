/** Delivers the sample mail through the product's features, each letter with its own date. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { changeMessage } from '#server/features/messages/change-message.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { newId } from '#server/lib/ids.ts'
import { acceptMessage } from '#server/mail/inbound/accept-message.ts'
import { acceptRecipient } from '#server/mail/inbound/accept-recipient.ts'
import type { Elsewhere } from '../world/elsewhere.ts'
import { atTime, dayStart, daysBefore } from './at-time.ts'
import { type Incoming, isIncoming, type Letter, type Outgoing } from './letters/letter.ts'
import { newsletters } from './letters/newsletters.ts'
import { norasLetters } from './letters/nora.ts'
import { officeLetters } from './letters/offices.ts'
import { ordersBeside } from './letters/orders.ts'

const DELIVERED_WITHIN_MS = 15_000

type Filed = { id: string; messageId: string; references: string[] }
type Box = { app: App; who: Who; id: string; elsewhere: Elsewhere; filed: Map<string, Filed> }
type Dated<L extends Letter = Letter> = { letter: L; at: Date }

/** Resolves when outgoing mail has also arrived at the other servers. */
export const seedMail = async (app: App, who: Who, elsewhere: Elsewhere): Promise<void> => {
  const letters = [...norasLetters, ...newsletters, ...officeLetters]
  const dated = datesOf([...letters, ...ordersBeside(letters)], app.clock.now())
  const byMailbox = Map.groupBy(dated, ({ letter }) => letter.mailbox)
  await Promise.all(
    [...byMailbox].map(async ([email, letters]) => {
      const { id } = await app.db
        .selectFrom('mailboxes')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      const box = { app, who, id, elsewhere, filed: new Map() }
      for (const each of letters) await file(box, each)
    }),
  )
  await deliveredAll(app)
}

/** The worker of the product delivers; this only waits until no delivery is open. Mails of the installation stay in its outbox. */
const deliveredAll = async (app: App): Promise<void> => {
  for (const giveUpAt = performance.now() + DELIVERED_WITHIN_MS; ; ) {
    const open = await app.db
      .selectFrom('deliveries')
      .select('id')
      .where('status', 'in', ['queued', 'sending'])
      .where('workspaceId', 'is not', null)
      .executeTakeFirst()
    if (!open) return
    if (performance.now() > giveUpAt) throw new Error('the sample mail was not delivered')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Oldest first. Letters of today divide the time since midnight among them, however short it is. */
const datesOf = (letters: readonly Letter[], now: Date): Dated[] => {
  const midnight = dayStart(now)
  const inOrder = letters
    .map(unwrapped)
    .toSorted((a, b) => b.day - a.day || (a.time < b.time ? -1 : 1))
  const today = inOrder.filter(({ day }) => day === 0)
  const step = (now.getTime() - midnight.getTime()) / (today.length + 1)
  return inOrder.map((letter) => {
    if (letter.day === 0)
      return { letter, at: new Date(midnight.getTime() + step * (today.indexOf(letter) + 1)) }
    const [hour = 0, minute = 0] = letter.time.split(':').map(Number)
    const since = (hour * 60 + minute) * 60_000
    return { letter, at: new Date(daysBefore(midnight, letter.day).getTime() + since) }
  })
}

/** Joins the lines of a paragraph, which are broken only in the source code. */
const unwrapped = (letter: Letter): Letter => ({
  ...letter,
  text: letter.text.replace(/^(.{80,})\n(?=\S)/gm, '$1 '),
})

const file = async (box: Box, { letter, at }: Dated): Promise<void> => {
  const filed = isIncoming(letter)
    ? await receive(box, { letter, at })
    : await send(box, { letter, at })
  if (letter.key) box.filed.set(letter.key, filed)
  const isRead = isIncoming(letter) ? (letter.isRead ?? letter.day > 0) : true
  const { isStarred = false, folder } = letter
  if ((isRead && isIncoming(letter)) || isStarred || folder)
    await changeMessage(box.app, box.who, box.id, filed.id, { isRead, isStarred, folder })
}

const receive = async (box: Box, { letter, at }: Dated<Incoming>): Promise<Filed> => {
  const { from, cc, subject, text, html, attachments, mailbox } = letter
  const domain = from.address.slice(from.address.indexOf('@') + 1)
  const answered = letter.answers === undefined ? undefined : filedAs(box, letter.answers)
  const messageId = `${newId(at.getTime())}@${domain}`
  const references = answered ? [...answered.references, answered.messageId] : []
  const raw = await box.elsewhere.write({
    ...{ from, to: [{ name: '', address: mailbox }], subject, text, messageId, date: at },
    ...(cc && { cc }),
    ...(html && { html }),
    ...(attachments && { attachments }),
    ...(answered && { inReplyTo: answered.messageId, references }),
  })
  const then = atTime(box.app, at)
  const sender = { mailFrom: from.address, helo: `mx.${domain}`, ip: '127.0.0.1' }
  const client = {
    ...sender,
    declaredBytes: raw.length,
    refuseListed: async () => {},
    isAllowed: async () => false,
  }
  await acceptMessage(then, raw, {
    ...{ id: newId(at.getTime()), ...sender },
    ...{ protocol: 'ESMTP', onlyRecipient: mailbox },
    recipients: [await acceptRecipient(then, mailbox, client)],
  })
  return { ...(await rowOf(box, messageId)), references }
}

const send = async (box: Box, { letter, at }: Dated<Outgoing>): Promise<Filed> => {
  const { to, cc = [], subject, text, html, attachments = [], isDraft = false } = letter
  const answered = letter.answers === undefined ? undefined : filedAs(box, letter.answers)
  const { _id: id } = await sendMessage(atTime(box.app, at), box.who, box.id, {
    ...{ to, cc, bcc: [], subject, text, draft: isDraft },
    ...(html && { html }),
    ...(answered && { inReplyTo: answered.id }),
    attachments: attachments.map(({ content, ...rest }) => ({
      ...rest,
      content: content.toString('base64'),
    })),
  })
  const row = await box.app.db
    .selectFrom('messages')
    .select(['id', 'messageId', 'references'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

const rowOf = ({ app, id }: Box, messageId: string): Promise<{ id: string; messageId: string }> =>
  app.db
    .selectFrom('messages')
    .select(['id', 'messageId'])
    .where('mailboxId', '=', id)
    .where('messageId', '=', messageId)
    .executeTakeFirstOrThrow()

const filedAs = ({ filed }: Box, key: string): Filed => {
  const found = filed.get(key)
  if (!found) throw new Error(`no earlier letter has the key ${key}`)
  return found
}
