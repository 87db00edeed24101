import { afterAll, beforeAll, expect, it } from 'vitest'
import { TEST_MAILS_PER_HOUR } from '#contract/mail/test-mail.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { getDomainSteps } from '#server/features/stats/first-steps.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, type Domain, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { getTestMail } from './get-test-mail.ts'
import { sendTestMail } from './send-test-mail.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const aSender = async () => {
  const who = await aMember(app, 'Editor')
  const domain = await anActiveDomain(app, who)
  await storeKey(app.db, domain, await makeKey(app))
  return { who, domain, mailbox: await aMailbox(app, { domain }) }
}

const outgoing = async ({ id }: Pick<Mailbox, 'id'>) => {
  const row = await app.db
    .selectFrom('outboxMessages')
    .selectAll()
    .where('mailboxId', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, raw: String(await app.blobs.get(row.blob)) }
}

const comes = (
  mailbox: Mailbox,
  header: string[],
  given: { mailFrom?: string; smtp?: boolean },
) => {
  const { mailFrom = 'ada@elsewhere.example', smtp = true } = given
  const authentication = smtp ? { spf: 'pass', dkim: 'none', dmarc: 'pass', arc: 'none' } : null
  const raw = Buffer.from(
    [...header, 'Subject: Re: Test mail', '', 'A secret answer', ''].join('\r\n'),
  )
  return receiveMessage(app, app.db, { raw, mailFrom, authentication }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
}

it('goes there by the ordinary outbox, and is complete when its answer came', async () => {
  const { who, domain, mailbox } = await aSender()
  const state = async () => (await getTestMail(app, who, domain.id)).testMail
  expect(await state()).toBeNull()
  const form = { mailboxId: mailbox.id, to: 'ada@elsewhere.example' }
  const sent = await sendTestMail(app, who, domain.id, form)
  expect(sent).toMatchObject({ from: mailbox.email, to: form.to, answer: null })
  expect(sent.delivery).toEqual({ status: 'queued', steps: [], reason: null })

  // Signed, from the mailbox; no copy for its reader, and counted as its own.
  const { raw, mailFrom, sentMessageId } = await outgoing(mailbox)
  expect(raw).toContain(`d=${domain.name}`)
  expect(raw).toContain('Auto-Submitted: auto-generated')
  expect({ mailFrom, sentMessageId }).toEqual({ mailFrom: mailbox.email, sentMessageId: null })
  expect((await app.db.selectFrom('messages').select('id').execute()).length).toBe(0)
  const counted = await app.db
    .selectFrom('sendings')
    .select(['recipients', 'newRecipients'])
    .where('mailboxId', '=', mailbox.id)
    .execute()
  expect(counted).toEqual([{ recipients: 1, newRecipients: 1 }])

  await app.db
    .updateTable('deliveries')
    .set({ status: 'delivered', finishedAt: app.clock.now() })
    .where('workspaceId', '=', who.workspaceId)
    .execute()
  expect((await state())?.delivery?.status).toBe('delivered')

  // Mail of others and imported mail are no answer.
  const [, messageId = ''] = /Message-ID: <([^>]+)>/i.exec(raw) ?? []
  const answers = `In-Reply-To: <${messageId}>`
  await comes(mailbox, ['In-Reply-To: <other@elsewhere.example>'], {})
  await comes(mailbox, [answers], { smtp: false })
  expect((await state())?.answer).toBeNull()

  // Who sends it back, or answers by a program, is told apart from a person, whose answer counts in the end.
  const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary=x'
  await comes(mailbox, [answers, report], { mailFrom: '' })
  expect((await state())?.answer?.kind).toBe('returned')
  await comes(mailbox, [answers, 'Auto-Submitted: auto-replied'], {})
  expect((await state())?.answer?.kind).toBe('returned')

  await comes(mailbox, [answers], {})
  const answered = await state()
  expect(answered?.answer).toEqual({
    ...{ at: app.clock.now().toISOString(), kind: 'answer' },
    ...{ spf: 'pass', dkim: 'none', dmarc: 'pass' },
  })
  expect(JSON.stringify(answered)).not.toContain('secret')
  const { cameAt, wentAt } = await getDomainSteps(app, who, domain.id)
  expect([cameAt, wentAt]).not.toContain(null)

  // It stays known when its reader deletes it.
  await app.db.deleteFrom('messages').where('mailboxId', '=', mailbox.id).execute()
  expect(await state()).toEqual(answered)
})

it('is refused where it would show nothing, or may not be sent', async () => {
  const { who, domain, mailbox } = await aSender()
  const other = await aDomain(app, { active: true })
  const send = (change: { mailboxId?: string; to?: string }, of: Domain = domain) =>
    sendTestMail(app, who, of.id, { mailboxId: mailbox.id, to: 'a@elsewhere.example', ...change })
  const refusedAt = (field: string) => ({
    type: 'VALIDATION',
    data: { [field]: expect.any(String) },
  })
  for (const to of [`x@${domain.name}`, `x@${other.name}`, `x@${app.config.mailHost}`])
    await expect(send({ to })).rejects.toMatchObject(refusedAt('to'))
  const foreign = await aMailbox(app, { domain: other })
  for (const mailboxId of [foreign.id, newId(), 'x'])
    await expect(send({ mailboxId })).rejects.toMatchObject(refusedAt('mailboxId'))
  await expect(send({}, other)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  await expect(getTestMail(app, who, other.id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const { id: unpaid } = await aMailbox(app, { domain, status: 'inactive' })
  await expect(send({ mailboxId: unpaid })).rejects.toMatchObject({ type: 'MAILBOX_NOT_ACTIVE' })
  const waiting = await aDomain(app, { workspaceId: who.workspaceId, verified: true })
  const { id } = await aMailbox(app, { domain: waiting })
  await expect(send({ mailboxId: id }, waiting)).rejects.toMatchObject({
    ...{ type: 'DOMAIN_NOT_ACTIVE' },
  })
  expect((await getTestMail(app, who, domain.id)).testMail).toBeNull()

  for (let n = 0; n < TEST_MAILS_PER_HOUR; n++) await send({})
  await expect(send({})).rejects.toMatchObject({ type: 'TOO_MANY_REQUESTS' })
})
