/** By keyboard alone: I select some, a range and all, put them away, and take it back. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, seenFocus } from './keys.ts'

test('I select with x, archive, undo, select all and mark as read', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const from = `charles@${ELSEWHERE}`
  for (const subject of ['One', 'Two', 'Three', 'Four']) {
    const raw = `From: Charles <${from}>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\n\r\nHello.\r\n`
    const letter = { from, to: mailbox.email, raw }
    expect(await sendMail(setting.product.smtpPort, letter)).toMatch(/^250 /)
  }
  await opened(page, '/dashboard/view-mail')
  const row = (subject: string) => page.getByRole('link', { name: new RegExp(subject) })
  await expect(row('Four')).toBeVisible()
  await expect(row('One')).toBeVisible()

  await page.keyboard.press('j')
  await expect(row('Four')).toBeFocused()
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(row('Two')).toBeFocused()
  await seenFocus(page)
  await page.keyboard.press('x')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('e')
  await expectToast(page, '2 archived')
  await expect(row('Four')).toHaveCount(0)
  await expect(row('Two')).toHaveCount(0)
  await expect(row('Three')).toBeVisible()
  await expect(row('One')).toBeFocused()
  await page.keyboard.press('z')
  await expect(row('Four')).toBeVisible()
  await expect(row('Two')).toBeVisible()

  // All that are shown, but one; what is marked stays where it is.
  await page.keyboard.press('*')
  await page.keyboard.press('a')
  await expect(page.getByText('4 selected')).toBeVisible()
  await page.keyboard.press('x')
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.keyboard.press('Shift+I')
  await expectToast(page, '3 marked as read')
  await expect(row('Four')).not.toContainText('Unread')
  await expect(row('One')).toContainText('Unread')
  const tools = page.getByRole('toolbar', { name: 'Selected', exact: true }).getByRole('button')
  const names = ['Archive', 'Delete', 'Junk', 'Mark as read', 'Move, star and more', 'Select none']
  for (const [n, name] of names.entries()) await expect(tools.nth(n)).toHaveAccessibleName(name)
  await page.getByRole('button', { name: 'Move, star and more' }).press('Enter')
  const items = page.getByRole('menuitem')
  await expect(items).toHaveText([
    ...['Mark as unread', 'Add or remove the star', 'Archive', 'Junk', 'Trash'],
    'Find or make a folder (v)',
  ])
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByText(/selected/)).toHaveCount(0)

  // Pairs lead to folders, and ? lists all keys.
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByText('Nothing in Archive')).toBeVisible()
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.getByRole('definition')).toHaveText(done)
  await expect(shortcuts.getByRole('term')).toHaveText(keys)
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(row('One')).toBeVisible()
  await page.keyboard.press('/')
  await expectAt(page, 'searchbox', 'Search mail')
  await page.keyboard.press('Escape')

  // Waits until the dialog has closed: before, typed letters would be shortcuts.
  await page.keyboard.press('?')
  await expect(shortcuts).toBeVisible()
  await page.evaluate(closeAndSearch)
  await page.keyboard.type('tides')
  await expect(page.getByRole('searchbox', { name: 'Search mail' })).toHaveValue('tides')
})

/** Runs in the page: both keys within a moment. */
const closeAndSearch = async () => {
  const press = (key: string) =>
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    )
  press('Escape')
  for (let turn = 0; turn < 100 && document.querySelector('[role=dialog]'); turn++) await null
  press('/')
}

const keys = [
  ...[
    'j or ↓',
    'k or ↑',
    'o or Enter',
    'Space',
    'u or Esc',
    'n',
    'p',
    'g i',
    'g d',
    'g t',
    'g a',
    'g j',
  ],
  ...[
    'g #',
    '/',
    'Ctrl k',
    'x',
    'Shift and click',
    '* a',
    '* n',
    'e',
    '#',
    '!',
    's',
    'v',
    'Shift i',
  ],
  ...['Shift u', 'z', 'c', 'r', 'a', 'f', 'Ctrl Enter', '?'],
]

/** What the keys do, as the list of them says. */
const done = [
  ...['Next conversation', 'Previous conversation', 'Open; on what is open, go into it'],
  ...['Scroll what is open', 'Back to the list'],
  ...['Next message of the conversation', 'Previous message of the conversation'],
  ...['Go to Inbox', 'Go to Drafts', 'Go to Sent', 'Go to Archive', 'Go to Junk', 'Go to Trash'],
  ...['Search', 'Go anywhere, by its name', 'Select or deselect', 'Select all in between'],
  'Select all that are shown',
  ...[
    'Select none',
    'Archive',
    'Delete',
    'Mark as junk or not junk',
    'Add or remove the star',
    'Move to a folder',
    'Mark as read',
  ],
  ...[
    'Mark as unread',
    'Undo, change by change',
    'Compose',
    'Reply',
    'Reply all',
    'Forward',
    'Send',
    'This list',
  ],
]
