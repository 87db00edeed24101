/** The way ends in working mail: the product sends a test mail there, and sees its answer come back. */
import { aMailbox, aUser, type Domain, letRead } from '#test-world/builders.ts'
import { ELSEWHERE, MAIL_HOST } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { aDomainWithRecords } from './specification/domain-rows.ts'
import { expect, expectToast, opened, type Setting, test } from './specification/setting.ts'

test('a step leads to the test mail, and the page follows it there and back', async ({
  setting,
  person,
}) => {
  const { page, workspace, call } = person
  const { product } = setting
  const name = `ending-${crypto.randomUUID().slice(0, 8)}.example`
  const given = { name, workspaceId: workspace.id, active: true, states: 'verified' } as const
  const domain = await aDomainWithRecords(setting, given)
  const ada = await aMailbox(setting, { domain, localPart: 'ada' })
  await opened(page, '/dashboard')
  await expect(page.getByText(/^In its first days each mailbox may write to/)).toContainText(
    'write to 100 people outside this workspace, 20 of them new, in 24 hours',
  )
  const steps = page.getByRole('list', { name: `Until mail of ${name} works` })
  await expect(steps).toContainText(`After the move ${ada.email} gets it here, and mail to an`)
  await steps.getByRole('link', { name: /Send a test mail/ }).click()
  await expect(page).toHaveURL(`/dashboard/domains/${domain.id}#test-mail`)
  const card = page.getByRole('region', { name: 'Test mail' })
  await expect(card).toBeFocused()

  const to = card.getByLabel('To', { exact: true })
  const send = card.getByRole('button', { name: /^Send/ })
  await to.fill(`bob@${name}`)
  await send.click()
  await expect(to).toHaveAccessibleDescription(/Mail to this address does not leave this server/)
  const me = `me-${domain.id.slice(-12)}@${ELSEWHERE}`
  await to.fill(me)
  await to.press('Enter')
  await expectToast(page, 'Test mail sent')
  await expect(card.getByRole('status')).toContainText('Waiting for your answer')
  await expect(card).toContainText(`mx.${ELSEWHERE} took the message`)
  const { email } = await product.mailTo(me)
  expect(email.from?.address).toBe(ada.email)
  expect(email.text).toContain(`${person.email} sent it to see whether mail of ${name} works.`)

  // Its sender has no right to the mailbox, and the page changes by itself.
  expect((await call('GET', `/mailboxes/${ada.id}/messages`)).status).toBe(403)
  await sendMail(product.smtpPort, {
    from: me,
    to: ada.email,
    raw: `From: ${me}\r\nTo: ${ada.email}\r\nIn-Reply-To: ${email.messageId}\r\nSubject: Re\r\n\r\nIt works\r\n`,
  })
  await expect(card.getByRole('status')).toContainText('There and back')
  await expect(card.getByRole('list', { name: 'Checks of the answer' })).toContainText('SPF: none')
  await expect(card).not.toContainText('It works')
  const left = page.getByRole('list', { name: 'Until mail works' }).getByRole('link')
  await expect(left.getByLabel('Done')).toHaveCount(3)

  // The last step is told where the list was, until it was read.
  await letRead(setting, ada, (await aUser(setting)).id, 'given')
  await moveReceiving(setting, domain)
  await page.reload()
  const works = page.getByRole('status').filter({ hasText: 'Mail works now' })
  await expect(works).toContainText(`Mail of ${name} comes and goes`)
  await expect(left).toHaveCount(0)
  await opened(page, '/dashboard')
  await expect(works).toContainText(`Mail of ${name} comes and goes`)
  await page.getByRole('button', { name: 'Got it' }).click()
  await expect(works).toHaveCount(0)
  await opened(page, `/dashboard/domains/${domain.id}`)
  await expect(card.getByRole('status')).toContainText('There and back')
  await expect(works).toHaveCount(0)
})

const moveReceiving = async (setting: Setting, domain: Domain): Promise<void> => {
  const { id: domainId, workspaceId, name } = domain
  setting.product.dns.zone(name)
  setting.product.dns.set(name, 'MX', [`10 ${MAIL_HOST}`])
  await setting.db.deleteFrom('domainSettings').where('domainId', '=', domainId).execute()
  await setting.db
    .insertInto('domainSettings')
    .values({
      ...{ domainId, workspaceId, zone: name, nameServers: '[]', spf: null, ourSpf: '[]' },
      ...{ dmarc: null, mx: JSON.stringify([{ host: MAIL_HOST, priority: 10 }]) },
      checkedAt: setting.clock.now(),
    })
    .execute()
}

test('mail of any kind settles the card and the list, without a test mail', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const given = { workspaceId: workspace.id, active: true, states: 'verified' } as const
  const name = `ordinary-${crypto.randomUUID().slice(0, 8)}.example`
  const domain = await aDomainWithRecords(setting, { ...given, name })
  await aMailbox(setting, { domain, localPart: 'ada' })
  const at = setting.clock.now()
  await setting.db
    .updateTable('domains')
    .set({ mailCameAt: at, mailWentAt: at })
    .where('id', '=', domain.id)
    .execute()
  await opened(page, `/dashboard/domains/${domain.id}`)
  const card = page.getByRole('region', { name: 'Test mail' })
  await expect(card.getByRole('status')).toContainText('Mail comes and goes')
  await expect(card).toContainText('The first mail from another server came in')
})

test('a refusal of the other server is told with its words', async ({ setting, person }) => {
  const { page, workspace } = person
  const given = { workspaceId: workspace.id, active: true, states: 'verified' } as const
  const name = `refused-${crypto.randomUUID().slice(0, 8)}.example`
  const domain = await aDomainWithRecords(setting, { ...given, name })
  const ada = await aMailbox(setting, { domain, localPart: 'ada' })
  const nobody = `nobody-${domain.id.slice(-12)}@${ELSEWHERE}`
  setting.product.peer.behave = (stage, address) =>
    stage === 'rcpt' && address === nobody ? '550 5.1.1 No such person here' : undefined
  await opened(page, `/dashboard/domains/${domain.id}`)
  const card = page.getByRole('region', { name: 'Test mail' })
  await card.getByLabel('To', { exact: true }).fill(nobody)
  await card.getByRole('button', { name: 'Send test mail' }).click()
  await expect(card.getByRole('status')).toContainText('Not delivered')
  await expect(card.getByRole('status')).toContainText('There is no such mailbox there.')
  await expect(card).toContainText('550 5.1.1 No such person here')
  // Who reads the mailbox did not send it, and finds nothing of it.
  const kept = setting.db.selectFrom('messages').select('id').where('mailboxId', '=', ada.id)
  expect(await kept.execute()).toEqual([])
  await expect(card.getByRole('button', { name: 'Send another one' })).toBeVisible()
})
