/**
 * Sends the test mail of a domain (decision 060). It goes like any mail of the mailbox: same limits, signatures and journey. Its
 * text is ours, no copy is kept in Sent, and a failure is shown on the domain's page and bounces to nobody (decision 080), so
 * whoever sends it needs no right to the mailbox.
 */
import { AppError, invalidField } from '#contract/errors.ts'
import { NOT_ELSEWHERE, TEST_MAILS_PER_HOUR, type TestMail } from '#contract/mail/test-mail.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { signingKeysOf } from '#server/features/domains/domain-keys.ts'
import { readDomain, readHolder } from '#server/features/domains/domain-queries.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import {
  holdMailbox,
  type MailboxRow,
  readMailbox,
} from '#server/features/mailboxes/mailbox-queries.ts'
import { senderName } from '#server/features/mailboxes/mailbox-settings.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { mailLimitAlert } from '#server/features/sending/brake-mails.ts'
import { checkBrakes } from '#server/features/sending/check-brakes.ts'
import { sendingDomain } from '#server/features/sending/prepare-message.ts'
import { holdWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { memberOf } from '#server/features/workspaces/member-emails.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { domainOf, domainToAscii } from '#server/standards/address.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { writeMessage } from '#server/standards/message-writer.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { getTestMail } from './get-test-mail.ts'
import { storeTestMail } from './test-mail-store.ts'

const PER_HOUR = { limit: TEST_MAILS_PER_HOUR, windowSeconds: HOUR_SECONDS }
const NOT_OF_DOMAIN = 'Please choose a mailbox of this domain'

type TestMailForm = { mailboxId: string; to: string }

/**
 * @throws NOT_EXISTS, VALIDATION, MAILBOX_NOT_ACTIVE, DOMAIN_NOT_ACTIVE, SENDING_STOPPED, TOO_MANY_REQUESTS, SENDING_LIMIT,
 * MAILBOX_SENDING_STOPPED
 */
export const sendTestMail = async (
  app: App,
  who: Who,
  domainId: string,
  { mailboxId, to }: TestMailForm,
): Promise<TestMail> => {
  const { workspaceId } = who
  const own = isId(domainId) ? await readDomain(app.db, workspaceId, domainId) : undefined
  if (own === undefined) throw new AppError('NOT_EXISTS')
  const mailbox = isId(mailboxId) ? await readMailbox(app.db, workspaceId, mailboxId) : undefined
  if (mailbox?.domainId !== own.id) throw invalidField('mailboxId', NOT_OF_DOMAIN)
  if (!(await isElsewhere(app, to))) throw invalidField('to', NOT_ELSEWHERE)
  const domain = await sendingDomain(app, mailbox, own.name)
  await spendThrottle(app, `test-mails:${workspaceId}`, PER_HOUR)
  const written = await writeTestMail(app, who, mailbox, { to, domain })
  await queue(app, mailbox, to, written).catch((refusal: unknown) =>
    mailLimitAlert(app, mailbox, refusal),
  )
  const { testMail } = await getTestMail(app, who, own.id)
  if (testMail === null) throw new AppError('NOT_EXISTS')
  return testMail
}

/** Mail to a domain of this installation does not pass the Internet, so it would show nothing. */
const isElsewhere = async (app: App, to: string): Promise<boolean> => {
  const name = domainToAscii(domainOf(to)) ?? domainOf(to)
  return name !== app.config.mailHost && (await readHolder(app.db, name)) === undefined
}

type Written = { raw: Buffer; messageId: string; at: Date }

const writeTestMail = async (
  app: App,
  { workspaceId, userId }: Who,
  mailbox: MailboxRow,
  { to, domain }: { to: string; domain: { id: string; name: string } },
): Promise<Written> => {
  const at = app.clock.now()
  const messageId = `${newId()}@${domain.name}`
  const name = toUnicodeDomain(domain.name)
  // The address alone: a name is typed by its owner, and this mail goes to strangers.
  const sender = (await memberOf(app.db, workspaceId, userId))?.email ?? 'A member of the workspace'
  const written = await writeMessage({
    from: { name: senderName(mailbox), address: mailbox.email },
    to: [{ name: '', address: to }],
    subject: `Test mail from ${name}`,
    messageId,
    date: at,
    text: [
      'Hello,',
      `This is a test mail from ${mailbox.email}. ${sender} sent it to see whether mail of ${name} works.`,
      'Please answer it: press Reply and send. The answer needs no text. When it arrives, the test is complete.',
      'If you did not expect this mail, you can ignore it.',
      'Mailstead\n',
    ].join('\n\n'),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return {
    at,
    messageId,
    raw: dkimSign(written, domain.name, await signingKeysOf(app, domain.id), at),
  }
}

const queue = (
  app: App,
  mailbox: MailboxRow,
  to: string,
  { raw, messageId, at }: Written,
): Promise<void> => {
  const { id: mailboxId, workspaceId, domainId, email: mailFrom } = mailbox
  return app.db.transaction().execute(async (tx) => {
    await holdWorkspace(tx, workspaceId)
    if (!(await holdMailbox(tx, workspaceId, mailboxId))) throw new AppError('NOT_EXISTS')
    await checkBrakes(app, tx, mailbox, { recipients: [to], answeredAddress: undefined })
    const outboxMessageId = await enqueueMessage(app, tx, {
      ...{ workspaceId, mailboxId, mailFrom, recipients: [to], raw, wantsBounce: false },
    })
    await storeTestMail(tx, {
      ...{ domainId, workspaceId, mailboxId, recipient: to, messageId, outboxMessageId },
      ...{ sentAt: at, answeredAt: null, answerResults: null, answerKind: null },
    })
    await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
  })
}
