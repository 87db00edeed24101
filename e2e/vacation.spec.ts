/** Vacation reply: each sender gets it once, and the app shows that it is on. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, expectToast, opened, type Setting, test } from './specification/setting.ts'

/** Only who is proven to have written is answered. */
const NAVY = 'navy.example'
const row = (page: Page, subject: string) => page.getByRole('link', { name: subject })

const receive = async (
  { product }: Setting,
  to: string,
  { from = `hopper@${NAVY}`, subject, fields = '' }: Record<string, string>,
): Promise<void> => {
  const raw = `From: Grace <${from}>\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${crypto.randomUUID()}@${NAVY}>\r\n${fields}\r\nDoes it weave?\r\n`
  expect(await sendMail(product.smtpPort, { from, to, raw })).toMatch(/^250 /)
}

test('I am away: each who writes is told so once, programs are not, and turning it off ends it', async ({
  setting,
  person,
}) => {
  const { page, user, workspace } = person
  const { product } = setting
  product.dns.zone(NAVY)
  product.dns.set(NAVY, 'MX', [`10 mx.${ELSEWHERE}`])
  product.dns.set(NAVY, 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id)

  await opened(page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}`)
  await page.getByLabel('Display name').fill('Ada, Countess of Lovelace')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Mailbox saved')
  const isOn = page.getByRole('checkbox', { name: 'Send a vacation reply' })
  const save = page.getByRole('button', { name: 'Save vacation reply' })
  await isOn.check()
  await page.getByLabel('Last day').fill('2020-01-01')
  await save.click()
  const text = page.getByRole('textbox', { name: 'Message', exact: true })
  await expect(text).toHaveAccessibleDescription(/Please write what senders should read/)
  await text.fill('I am at sea until Monday.')
  await save.click()
  const lastDay = page.getByLabel('Last day')
  await expect(lastDay).toHaveAccessibleDescription(/This day is over/)
  await lastDay.fill('2098-12-31')
  await save.click()
  await expectToast(page, 'Vacation reply is on', 'It answers through Dec 31, 2098.')

  await receive(setting, mailbox.email, {
    subject: 'The first',
    fields: 'References: <x@y.example>\r\n',
  })
  const { message, email } = await product.mailTo(`hopper@${NAVY}`)
  expect(message.from).toBe('')
  expect(email).toMatchObject({
    subject: 'Auto: The first',
    from: { name: 'Ada, Countess of Lovelace', address: mailbox.email },
    text: expect.stringContaining('I am at sea until Monday.'),
  })
  expect(email.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-replied' }),
  )
  await expect(page.getByText('1 answer has been sent.')).toBeVisible()

  await receive(setting, mailbox.email, { subject: 'The second' })
  await receive(setting, mailbox.email, {
    ...{ from: `robot@${NAVY}`, subject: 'A report' },
    fields: 'Auto-Submitted: auto-generated\r\n',
  })
  await receive(setting, mailbox.email, { from: `turing@${NAVY}`, subject: 'The third' })
  // Replies are decided in the order of arrival: senders before Alan get no further reply.
  await product.mailTo(`turing@${NAVY}`)
  const isOurs = (raw: string) => raw.includes('I am at sea until Monday.')
  const answered = product.peer.messages.filter(({ raw }) => isOurs(raw.toString()))
  expect(answered.map(({ from, to }) => [from, ...to])).toEqual([
    ['', `hopper@${NAVY}`],
    ['', `turing@${NAVY}`],
  ])

  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(row(page, 'The third')).toBeVisible()
  await expect(page.getByText('Your vacation reply is on through Dec 31, 2098.')).toBeVisible()
  await page.getByRole('link', { name: 'Change it' }).click()
  await expect(page.getByText('2 answers have been sent.')).toBeInViewport()
  await isOn.uncheck()
  await save.click()
  await expectToast(page, 'Vacation reply is off')
  await page.goBack()
  await expect(row(page, 'The third')).toBeVisible()
  await expect(page.getByText('Your vacation reply is on')).toHaveCount(0)
})
