/** The disk of the installation fills: the operator sees it, mail is put off and nothing is lost, and with room it goes on. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { aPerson, aSetting, expect, makeOperator, opened } from '../specification/setting.ts'
import { test } from '../test.ts'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
const SIZE_MB = 1_300
const LEFT_MB = 60

test('the operator sees the full disk, mail waits elsewhere, and comes in when there is room', async ({
  browser,
}) => {
  test.skip(process.getuid?.() !== 0, 'mounting a small disk needs root')
  await using undo = new AsyncDisposableStack()
  const disk = mkdtempSync(join(tmpdir(), 'mailstead-disk-'))
  undo.defer(() => rmSync(disk, { recursive: true, force: true }))
  run('mount', '-t', 'tmpfs', '-o', `mode=711,size=${SIZE_MB}m`, 'tmpfs', disk)
  undo.defer(() => void run('umount', '-l', disk))
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  const { setting, close } = await aSetting({ DATA_DIR: dataDir, BILLING: 'off' })
  undo.defer(close)
  const { product } = setting
  const newPerson = async () => {
    const context = await browser.newContext({ baseURL: product.url })
    return aPerson(setting, context, await context.newPage())
  }
  const [operator, customer] = [await newPerson(), await newPerson()]
  await makeOperator(setting, operator)
  const domain = await aDomain(setting, { workspaceId: customer.workspace.id, active: true })
  const ada = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, ada, customer.user.id)
  const send = (subject: string) =>
    sendMail(product.smtpPort, {
      to: ada.email,
      raw: `From: Eve <eve@example.net>\r\nTo: ${ada.email}\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
    })
  expect(await send('Before')).toMatch(/^250 /)

  const { bavail, bsize } = statfsSync(disk)
  const filler = join(disk, 'somebody-elses-file')
  run('fallocate', '-l', String(bavail * bsize - LEFT_MB * 1_000_000), filler)
  expect(await send('Meanwhile')).toMatch(/^452 /)
  await opened(operator.page, '/operator')
  const faults = operator.page.getByRole('list', { name: 'To mend' }).getByRole('listitem')
  const full = faults.filter({ hasText: /Only 0\.\d GB of 1\.\d GB are free/ })
  await expect(full).toContainText('mail is refused when nothing is left')

  await opened(customer.page, `/dashboard/view-mail?mailbox=${ada.id}`)
  await customer.page.getByRole('link', { name: /Before/ }).click()
  await customer.page.getByRole('button', { name: 'Reply', exact: true }).click()
  const reply = customer.page.getByRole('dialog', { name: 'Reply' })
  await reply.getByRole('textbox', { name: 'Message' }).fill('Written on a full disk.')
  await reply.getByRole('button', { name: 'Send' }).click()
  await expect(reply.getByText('It is sent as soon as possible, and only once')).toBeVisible()
  await expect(reply.getByText('Written on a full disk.')).toBeVisible()

  rmSync(filler)
  await operator.page.getByRole('button', { name: 'Check again' }).click()
  await expect(full).toHaveCount(0)
  expect(await send('Again')).toMatch(/^250 /)
  await expect(reply).toHaveCount(0, { timeout: 60_000 })
  await expect(customer.page.getByRole('link', { name: /Again/ })).toBeVisible()
})
