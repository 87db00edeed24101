/** By keyboard alone: I read mail, answer it with a file, search, and put it away and back. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, press, seenFocus, tabTo } from './keys.ts'

test('I read, answer with a file, search, archive and take it back', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const { product } = setting
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  const { id: mailboxId, email } = mailbox
  await letRead(setting, mailbox, user.id)
  const from = `charles-${mailboxId.slice(-8)}@${ELSEWHERE}`
  for (const [at, subject] of ['The mill', 'The engine'].entries()) {
    const date = new Date(Date.now() + at * 1000).toUTCString()
    const raw = `From: Charles <${from}>\r\nTo: ${email}\r\nSubject: ${subject}\r\nDate: ${date}\r\nMessage-ID: <${crypto.randomUUID()}@${ELSEWHERE}>\r\n\r\nIt weaves.\r\n`
    expect(await sendMail(product.smtpPort, { from, to: email, raw })).toMatch(/^250 /)
  }
  await opened(page, '/dashboard/view-mail')
  const row = (subject: string) => page.getByRole('link', { name: new RegExp(subject) })
  await expect(row('The mill')).toBeVisible()

  // From the top of the page two steps lead past menu, mailboxes and folders.
  await press(page, 'link', 'Skip to messages', { within: 2 })
  await page.keyboard.press('Tab')
  await expect(row('The engine')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row('The mill')).toBeFocused()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())

  // Single keys walk the list; Enter opens.
  await page.keyboard.press('j')
  await expect(row('The engine')).toBeFocused()
  await seenFocus(page)
  await page.keyboard.press('j')
  await expect(row('The mill')).toBeFocused()
  await page.keyboard.press('k')
  await expect(row('The engine')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'The engine' })).toContainText('Charles')
  await expect(row('The engine')).not.toContainText('Unread')

  // The answer starts where one writes; a file and Send are some steps of Tab away.
  await press(page, 'button', 'Reply', { within: 6 })
  const form = page.getByRole('dialog', { name: 'Reply', exact: true })
  await expectAt(page, 'textbox', 'Message')
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await page.keyboard.type('So it does.')
  const chooser = page.waitForEvent('filechooser')
  await press(page, 'button', 'Attach files', { back: true, within: 7 })
  const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') }
  await (await chooser).setFiles(plan)
  await expect(form.getByRole('list', { name: 'Attached files' })).toContainText('plan.txt')
  await expectAt(page, 'button', 'Attach files')
  await press(page, 'button', 'Send', { within: 14 })
  await expectToast(page, 'Message sent')
  await expectAt(page, 'button', 'Reply')
  const { email: sent } = await product.mailTo(from)
  expect(sent.text).toContain('So it does.')
  expect(sent.attachments.map(({ filename }) => filename)).toEqual(['plan.txt'])

  // A search leads into what it finds; an emptied one shows all again.
  await page.keyboard.press('/')
  await expectAt(page, 'searchbox', 'Search mail')
  await page.keyboard.type('mill')
  await expect(row('The engine')).toHaveCount(0)
  await expect(row('The mill')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(row('The mill')).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(row('The engine')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(row('The engine')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'The engine' })).toBeVisible()

  // What is put away makes room for the next one, and so does the focus.
  await page.keyboard.press('e')
  await expectToast(page, 'Archived')
  await expect(row('The engine')).toHaveCount(0)
  await expect(row('The mill')).toBeFocused()
  await page.keyboard.press('F8')
  await press(page, 'button', 'Undo', { within: 3 })
  await expect(row('The engine')).toBeVisible()
  await expect(row('The mill')).toBeFocused()

  await press(page, 'link', /The engine/, { back: true, within: 3 })
  await expect(page.getByRole('article', { name: 'The engine' })).toBeVisible()
  await press(page, 'button', 'Archive', { within: 10 })
  await expectToast(page, 'Archived')
  await expect(row('The engine')).toHaveCount(0)
  await expectAt(page, 'button', 'Archive')
  await page.keyboard.press('F8')
  await tabTo(page, 'button', 'Undo', { within: 3 })
})
