/** A mailbox whose password was phished sends: the operator is alerted, sees who it is, and ends it; the customer is told. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, aWorkspace } from '#test-world/builders.ts'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { anSmtpClient } from '#test-world/smtp/smtp-client.ts'
import { handIn, plainOf } from '#test-world/smtp/submission-world.ts'
import {
  aPerson,
  aSetting,
  expect,
  expectToast,
  makeOperator,
  opened,
} from '../specification/setting.ts'
import { test } from '../test.ts'

const DAY_MS = 86_400_000
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Where ALERT_URL leads. */
const anAlarm = async () => {
  const alerts: { alert: string; state: string; sentence: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    alerts.push(JSON.parse(body))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { alerts, url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

test('three hundred mails in a minute: alert, who, stop, queue, sessions, password, and the customer knows', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  await using undo = new AsyncDisposableStack()
  const alarm = await anAlarm()
  undo.defer(() => void alarm.close())
  const { setting, close } = await aSetting({ ALERT_URL: alarm.url, BILLING: 'off' })
  undo.defer(close)
  const { product } = setting
  const newPage = async () => {
    const context = await browser.newContext({ baseURL: product.url })
    return [context, await context.newPage()] as const
  }
  const operator = await aPerson(setting, ...(await newPage()))
  await makeOperator(setting, operator)
  const workspace = await aWorkspace(setting, { createdAt: new Date(Date.now() - 30 * DAY_MS) })
  const admin = await aPerson(setting, ...(await newPage()), { workspace })
  const createdAt = new Date(Date.now() - 30 * DAY_MS)
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true, createdAt })
  const mailbox = await aMailbox(setting, { domain, localPart: 'grace' })
  await aHolder(setting, mailbox)
  product.peer.behave = (stage, address) =>
    stage === 'rcpt' && address.startsWith('victim') ? '451 4.7.1 Too much from you' : undefined

  // The thief: a mail program, and a browser.
  const [, thief] = await newPage()
  await thief.goto('/login')
  await thief.getByLabel('Email').fill(mailbox.email)
  await thief.getByLabel('Password', { exact: true }).fill(HOLDERS_PASSWORD)
  await thief.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(thief.getByRole('button', { name: 'Compose' })).toBeVisible()
  const signedIn = async () => {
    const client = await anSmtpClient(product.submissionsPort, '127.0.0.1', '127.0.0.66')
    await client.startTls()
    await client.reply()
    await client.say('EHLO thief.example')
    return { client, reply: await client.say(plainOf(mailbox.email, HOLDERS_PASSWORD)) }
  }
  const { client: program, reply } = await signedIn()
  expect(reply).toMatch(/^235/)
  let taken = 0
  let last = ''
  for (let n = 0; n < 300; n++) {
    const to = `victim${n}@${ELSEWHERE}`
    const raw = `From: <${mailbox.email}>\r\nTo: <${to}>\r\nSubject: You won\r\n\r\nClick here.\r\n`
    last = await handIn(program, { from: mailbox.email, to, raw })
    if (last.startsWith('250')) taken += 1
  }
  expect(taken).toBe(100)
  expect(last).toContain('may write to 100 new recipients')

  await expect
    .poll(() => alarm.alerts.map(({ alert }) => alert), { timeout: 60_000 })
    .toContain('fast-sender')
  expect(alarm.alerts.find(({ alert }) => alert === 'fast-sender')?.sentence).toBe(
    'A mailbox wrote to 100 recipients outside in 15 minutes.',
  )
  const { page } = operator
  await opened(page, '/operator?tab=senders')
  await expect(row(page, mailbox.email)).toContainText('100')
  await page.getByRole('button', { name: `Actions for ${mailbox.email}` }).click()
  await page.getByRole('menuitem', { name: 'Stop sending' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Its password was stolen')
  await dialog.getByRole('radio', { name: 'Drop what waits' }).click()
  await dialog.getByRole('button', { name: 'Stop sending' }).click()
  await expectToast(page, `${mailbox.email} sends nothing any more`)
  await page.getByRole('tab', { name: 'Queue' }).click()
  await expect(page.getByText('Nothing waits')).toBeVisible()

  await page.getByRole('tab', { name: 'People' }).click()
  await page.getByLabel('Search people').fill(mailbox.email)
  await row(page, mailbox.email)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(thief).toHaveURL(/\/login/, { timeout: 30_000 })

  // The customer reads it, and sets a new password: the thief's program is out, too.
  const { email } = await product.mailTo(admin.email, 2)
  expect(`${email.subject} ${email.text}`).toContain('Its password was stolen')
  await opened(admin.page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}`)
  await expect(admin.page.getByRole('alert').filter({ hasText: 'The operator' })).toContainText(
    'Its password was stolen',
  )
  await opened(admin.page, `/dashboard/mailbox-access?mailbox=${mailbox.id}`)
  await admin.page.getByRole('button', { name: 'Revoke access', exact: true }).click()
  const question = admin.page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Revoke access' }).click()
  await expectToast(admin.page, 'Access revoked')
  const said = () => program.say('NOOP').catch(() => 'ended')
  await expect.poll(said).toMatch(/^(?:421|ended)/)
  const again = await signedIn()
  expect(again.reply).toMatch(/^535/)
  again.client.close()
})
