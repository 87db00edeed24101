/**
 * Sends vacation replies. A message that needs one is recorded when the message is stored
 * (`vacationDue`), and decided once, in the transaction that queues the reply, so a crash leaves it
 * for the next worker (decision 028).
 */
import { AppError } from '#contract/errors.ts'
import { VACATION_DAYS } from '#contract/mail/vacation.ts'
import { mailboxCan } from '#contract/mailboxes.ts'
import type { App } from '#server/app.ts'
import { signingKeysOf } from '#server/features/domains/domain-keys.ts'
import { findVerifiedDomain } from '#server/features/domains/find-domain.ts'
import { holdMailbox } from '#server/features/mailboxes/mailbox-queries.ts'
import { senderName } from '#server/features/mailboxes/mailbox-settings.ts'
import { ownAddresses } from '#server/features/mailboxes/own-addresses.ts'
import { readStart } from '#server/features/messages/structures/read-parts.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { countReply } from '#server/features/sending/count-reply.ts'
import { holdWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf, parseAddress } from '#server/standards/address.ts'
import { signersIn } from '#server/standards/authentication-results.ts'
import { whomToAnswer } from '#server/standards/auto-reply/whom-to-answer.ts'
import { dkimSign, type SigningKey } from '#server/standards/dkim-sign.ts'
import { replyHeaders } from '#server/standards/message-headers.ts'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import { writeMessage } from '#server/standards/message-writer.ts'
import type { Db } from '#server/storage/database.ts'
import {
  countAnswer,
  type Due,
  lockVacation,
  noteAnswers,
  readDues,
  takeDue,
  type VacationRow,
} from './vacation-store.ts'

const BATCH = 50
const WEEK_SECONDS = VACATION_DAYS * DAY_SECONDS
/** After this long a failing reply is dropped. */
const TRY_SECONDS = HOUR_SECONDS

type Answer = { domain: Domain; to: string; author: string; as: string }
type Domain = { id: string; name: string }

export const answerDues = async (app: App, isClosing: () => boolean = () => false) => {
  for (let after = FIRST_ID; ; ) {
    const dues = await readDues(app.db, after, BATCH)
    for (const due of dues) {
      if (isClosing()) return
      await answerOne(app, due)
      after = due.id
    }
    if (dues.length < BATCH) return
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const answerOne = async (app: App, due: Due): Promise<void> => {
  try {
    const answer = await findAnswer(app, due)
    await app.db.transaction().execute(async (tx) => {
      // The mailbox is locked first, as everywhere: deleting a mailbox locks the rest after it.
      await holdWorkspace(tx, due.workspaceId)
      await holdMailbox(tx, due.workspaceId, due.mailboxId)
      if (!(await takeDue(tx, due)) || answer === null) return
      await sendOnce(app, tx, due, answer)
    })
  } catch (error) {
    const isBraked = error instanceof AppError
    if (!isBraked) app.log.warn({ err: error }, 'a vacation reply waits')
    const isOld = due.date < secondsAfter(app.clock.now(), -TRY_SECONDS)
    // A reply beyond the sending limits is dropped silently: there is nothing to do about it.
    if (isBraked || isOld) await takeDue(app.db, due)
  }
}

/** null: no reply is due. */
const findAnswer = async (app: App, due: Due): Promise<Answer | null> => {
  if (!mailboxCan.send(due)) return null
  const header = headerLinesOf(await readStart(app, due, due))
  const own = await ownAddresses(app, { ...due, id: due.mailboxId })
  const signers = signersIn(header, app.config.mailHost)
  const found = whomToAnswer({ ...due, header, signers }, own)
  if (typeof found === 'string') {
    app.log.debug({ messageId: due.id, silence: found }, 'no vacation reply')
    return null
  }
  const name = domainOf(found.as)
  const domain = await findVerifiedDomain(app, name)
  const isSending =
    domain?.workspaceId === due.workspaceId &&
    domain.activatedAt !== null &&
    !domain.isSendingStopped
  const author = parseAddress(due.from?.address ?? '')?.address ?? found.to
  return isSending ? { ...found, author, domain } : null
}

const sendOnce = async (app: App, tx: Db, due: Due, answer: Answer): Promise<void> => {
  const { to, author, as, domain } = answer
  const vacation = await lockVacation(tx, due)
  if (vacation === undefined || !vacation.isOn) return
  const now = app.clock.now()
  const { workspaceId, mailboxId } = due
  // Looked up by reverse path and author: ticket systems use a new reverse path for every message.
  const addresses = [...new Set([to, author])]
  const noted = await noteAnswers(
    tx,
    { workspaceId, mailboxId, periodId: vacation.periodId, answeredAt: now },
    addresses,
    secondsAfter(now, -WEEK_SECONDS),
  )
  if (noted.length < addresses.length) return
  await countReply(app, tx, { workspaceId, id: mailboxId }, to)
  const keys = await signingKeysOf(app, domain.id)
  const raw = await writeReply({ due, vacation, to, as, domainName: domain.name, keys, at: now })
  await enqueueMessage(app, tx, { workspaceId, mailboxId, mailFrom: '', recipients: [to], raw })
  await countAnswer(tx, due)
}

export type Reply = {
  due: Due
  vacation: Pick<VacationRow, 'subject' | 'text'>
  to: string
  as: string
  domainName: string
  keys: readonly SigningKey[]
  at: Date
}

const MAX_SUBJECT = 200

/** Writes a vacation reply (RFC 3834 §3). */
export const writeReply = async (reply: Reply): Promise<Buffer> => {
  const { due, vacation, to, as, domainName, keys, at } = reply
  const name = due.from?.address.toLowerCase() === to ? due.from.name : ''
  const written = await writeMessage({
    from: { name: senderName(due), address: as },
    to: [{ name, address: to }],
    subject: vacation.subject || `Auto: ${due.subject}`.slice(0, MAX_SUBJECT).toWellFormed(),
    messageId: `${newId()}@${domainName}`,
    ...(replyHeaders(due) ?? {}),
    date: at,
    text: `${vacation.text.trimEnd()}\n`,
    // The second field is for Exchange.
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
  })
  return dkimSign(written, domainName, keys, at)
}
