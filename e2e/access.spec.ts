/** The holder of a mailbox signs in by a link and sees nothing else; every other reader and how they got the right is shown. */
import type { Browser, Page } from '@playwright/test'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { aMailboxAt, anActiveDomain } from '#test-world/trials/account.ts'
import { accountOf } from './screens/account-of.ts'
import {
  aPerson,
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const PASSWORD = 'Night-Train-7!'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })
const log = (page: Page) => page.getByRole('list', { name: 'Access log' })
const readers = (page: Page) => page.getByRole('list', { name: 'Who reads it' })

const aBrowser = async ({ product }: Setting, browser: Browser): Promise<Page> =>
  (await browser.newContext({ baseURL: product.url })).newPage()

const aMailbox = async (setting: Setting, person: Person, localPart: string) => {
  const account = accountOf(person)
  const name = `${crypto.randomUUID().slice(0, 8)}.example`
  const domain = await anActiveDomain(setting.product, account, name)
  return aMailboxAt(account, domain, localPart)
}

const logIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Login').click()
}

test.afterEach(async ({ browser, context }) => {
  const others = browser.contexts().filter((each) => each !== context)
  await Promise.all(others.map((each) => each.close()))
})

test('a holder’s first day: link, password, first mail in and out; an Admin takes the right to read, and the holder sees it', async ({
  person,
  setting,
  browser,
}) => {
  const { product } = setting
  const { page } = person
  const mailbox = await aMailbox(setting, person, 'grace')
  await opened(page, '/dashboard/mailboxes')
  await button(page, `Actions for ${mailbox.email}`).click()
  await page.getByRole('menuitem', { name: 'Access' }).click()
  await expect(page.getByText('Nobody signs in with this address.')).toBeVisible()
  await button(page, 'Set up access').click()
  const dialog = page.getByRole('dialog', { name: 'Set up access' })
  await expect(dialog).toContainText('That ends when the link is used')
  await button(page, 'Make link').click()
  const address = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  // The link is shown once: closing asks while it was not copied.
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Close without the link?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Link' })).toHaveValue(address)
  await button(page, 'Done').click()
  await question.getByRole('button', { name: 'Close without it' }).click()
  await expect(page.getByText('A link has not been used yet.')).toBeVisible()

  const holder = await aBrowser(setting, browser)
  await holder.goto(address)
  await expect(holder.getByRole('heading', { name: 'Your mailbox is ready' })).toBeVisible()
  await holder.getByLabel('Password', { exact: true }).fill('grace')
  await holder.getByLabel('Confirm Password').fill(PASSWORD)
  await button(holder, 'Save password').click()
  await expect(holder.getByText('Password must be at least 8 characters long')).toBeVisible()
  await holder.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(holder, 'Save password').click()
  await expect(holder).toHaveURL(/\/dashboard\/view-mail\?mailbox=/)
  await expect(holder.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Mail',
    'Settings',
    'Mail programs',
    'API keys',
  ])
  // Beside the folders of the mail, the menu is a rail until the holder unfolds it.
  const widthOfMenu = async () => (await holder.locator('aside').first().boundingBox())?.width
  await expect.poll(widthOfMenu).toBe(3 * 16)
  await expect(page.getByText('Has a holder')).toBeVisible()

  await expect(holder.getByText('Nothing in Inbox')).toBeVisible()
  const raw = `From: a@${ELSEWHERE}\r\nTo: ${mailbox.email}\r\nSubject: Welcome\r\n\r\nHello Grace\r\n`
  await sendMail(product.smtpPort, { from: `a@${ELSEWHERE}`, to: mailbox.email, raw })
  await link(holder, /Welcome/).click()
  await expect(holder.getByRole('article', { name: 'Welcome' })).toBeVisible()
  await button(holder, 'Compose').click()
  const compose = holder.getByRole('dialog', { name: 'New message' })
  await compose.getByLabel('To', { exact: true }).fill(`friend@${ELSEWHERE}`)
  await compose.getByLabel('Subject').fill('My first day')
  await compose.getByRole('textbox', { name: 'Message' }).fill('It went well.')
  await button(holder, 'Send').click()
  const sent = await product.mailTo(`friend@${ELSEWHERE}`)
  expect(sent.email).toMatchObject({ from: { address: mailbox.email }, subject: 'My first day' })

  // No other page, and nothing in the palette leads to one.
  await opened(holder, '/dashboard/settings')
  await expect(holder).toHaveURL(/\/dashboard\/view-mail/)
  await expect(holder.getByRole('banner')).toContainText('Mail')
  await holder.getByRole('button', { name: /^Go to/ }).click()
  const palette = holder.getByRole('dialog', { name: 'Command palette' })
  await expect(palette.getByRole('option')).toHaveText([
    ...['Mail', 'Settings', 'Mail programs', 'API keys', 'Light', 'Dark', /System/],
  ])
  // It finds the parts of the settings, the theme and the way out by other words, too.
  const find = (words: string) => palette.getByRole('combobox').fill(words)
  for (const [words, title] of [
    ['signature', /^Signature/],
    ['out of office', /^Vacation reply/],
    ['theme', /^Dark/],
    ['password', /^Change password/],
    ['log out', /^Log out/],
    [mailbox.email, new RegExp(`^${mailbox.email}`)],
  ] as const) {
    await find(words)
    await expect(palette.getByRole('option', { name: title })).toBeVisible()
  }
  await find('vacation')
  await palette.getByRole('option', { name: /^Vacation reply/ }).click()
  await expect(holder).toHaveURL(/#vacation$/)
  await expect(holder.getByRole('heading', { name: 'Vacation reply' })).toBeInViewport()
  await holder.keyboard.press('Control+k')
  await find('settings')
  await palette.getByRole('option', { name: 'Settings', exact: true }).click()
  await expect(log(holder)).toContainText('set a password with the link')
  await expect(readers(holder).getByRole('listitem')).toHaveCount(1)

  await opened(page, `/dashboard/view-mail?mailbox=${mailbox._id}`)
  await expect(page.getByRole('heading', { name: 'is not yours to read' })).toBeVisible()
  const why = page.getByLabel('Reason', { exact: true })
  await expect(why).toHaveAccessibleDescription('Optional. The holder reads it.')
  await why.fill('Looking for an invoice')
  await button(page, 'Take the right and read').click()
  await expect(link(page, /Welcome/)).toBeVisible()
  await expect(readers(holder)).toContainText(person.email)
  await expect(log(holder)).toContainText(
    `Ada Lovelace (${person.email}) took the right to read it.Reason given: Looking for an invoice`,
  )

  await person.call('PATCH', `/mailboxes/${mailbox._id}`, { status: 'suspended' })
  await holder.goto('/login')
  await holder.getByLabel('Email').fill(mailbox.email)
  await logIn(holder, mailbox.email)
  await expectToast(holder, 'Error', 'This mailbox is suspended.')
})

test('a User is given a mailbox and reads it until it is taken back; a holder changes the password', async ({
  person,
  setting,
  browser,
}) => {
  const { page, workspace } = person
  const mailbox = await aMailbox(setting, person, 'team')
  const context = await browser.newContext({ baseURL: setting.product.url })
  const given = { role: 'User' as const, workspace, firstName: 'Joan', lastName: 'Clarke' }
  const joan = await aPerson(setting, context, await context.newPage(), given)
  await opened(joan.page, '/dashboard/view-mail')
  await expect(joan.page.getByText('No mailbox to read yet')).toBeVisible()

  await opened(page, `/dashboard/mailbox-access?mailbox=${mailbox._id}`)
  await page.getByRole('combobox', { name: 'Give it to' }).click()
  await page.getByRole('option', { name: /Joan Clarke/ }).click()
  await button(page, 'Give').click()
  await expectToast(page, 'Mailbox given', `Joan Clarke reads ${mailbox.email}.`)
  await expect(joan.page.getByText('Nothing in Inbox')).toBeVisible()
  await button(page, 'End the right of Joan Clarke to read').click()
  await expectToast(page, 'Right to read ended')
  await expect(joan.page.getByText('No mailbox to read yet')).toBeVisible()

  const { body } = await person.call('POST', `/mailboxes/${mailbox._id}/access/link`, {})
  const session = new URL(body.link).searchParams.get('token')
  const accept = { session, password: PASSWORD, confirmPassword: PASSWORD }
  // Not from the browser of the Admin: whoever sets the password is signed in.
  const accepted = await fetch(`${setting.product.url}/api/v1/access/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(accept),
  })
  expect(accepted.status).toBe(200)
  const holder = await aBrowser(setting, browser)
  await holder.goto('/login')
  await holder.getByLabel('Email').fill(mailbox.email)
  await logIn(holder, mailbox.email)
  await button(holder, 'Account menu').click()
  await holder.getByRole('menuitem', { name: 'Dark theme' }).click()
  await expect(holder.locator('html')).toHaveClass(/dark/)
  await button(holder, 'Account menu').click()
  await holder.getByRole('menuitem', { name: 'Change password' }).click()
  const dialog = holder.getByRole('dialog', { name: 'Update password' })
  await dialog.getByLabel('Old Password').fill(PASSWORD)
  await dialog.getByLabel('New Password', { exact: true }).fill('Early-Train-8!')
  await dialog.getByLabel('Confirm New Password').fill('Early-Train-8!')
  await button(holder, 'Save').click()
  await expectToast(holder, 'Password updated successfully.')
  await expect(dialog).toBeHidden()
  await expect(holder).toHaveURL(/mail-box-settings$/)

  await button(page, 'Revoke access').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click()
  await expectToast(page, 'Access revoked')
  // Without a click: the stream of events ends with the session, and the page asks again.
  await expect(holder).toHaveURL(/\/login/)

  // Of a long log the latest 20 lines come first.
  const lines = Array.from({ length: 20 }, (_, n) => ({
    ...{ id: crypto.randomUUID(), workspaceId: workspace.id, mailboxId: mailbox._id },
    ...{ mailboxEmail: mailbox.email, kind: 'link-made' as const, actor: 'Ada', subject: '' },
    ...{ reason: '', at: new Date(n) },
  }))
  await setting.db.insertInto('accessEntries').values(lines).execute()
  await opened(page, `/dashboard/mailbox-access?mailbox=${mailbox._id}`)
  await expect(log(page).getByRole('listitem')).toHaveCount(20)
  await button(page, 'Show older').click()
  await expect(log(page).getByRole('listitem').nth(20)).toBeVisible()
  await expect(button(page, 'Show older')).toHaveCount(0)
  await opened(page, '/dashboard/mailbox-access')
  await expect(page.getByRole('main')).toContainText(
    'Who got access to the mailboxes of this workspace, and from whom',
  )
})
