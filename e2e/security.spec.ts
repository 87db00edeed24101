/** I see where I am signed in, and end it; the link of a mail throws a stranger out; the last Admin hands over and leaves. */
import type { Page } from '@playwright/test'
import type { Product } from '#test-world/product.ts'
import { mailedLink, PASSWORD } from '#test-world/trials/account.ts'
import { logIn } from './browsers.ts'
import { aPerson, expect, expectToast, opened, test } from './specification/setting.ts'

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' })

test('I see my other browser and end it: it is out at once', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email } = person
  const other = await browser.newContext({ baseURL: setting.product.url })
  const login = { data: { email, password: PASSWORD } }
  await other.request.post(`${setting.product.url}/api/v1/auth/login`, login)
  const there = await other.newPage()
  await opened(there, '/dashboard/security')
  await opened(page, '/dashboard/profile')
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(2)
  await expect(sessions(page)).toContainText('This browser')
  await sessions(page)
    .getByRole('button', { name: /^End the session of/ })
    .click()
  await expectToast(page, 'Session ended')
  await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
  await expect(there).toHaveURL(/\/login/)
  await other.close()
})

/** The link of the first mail to this address that tells of a new sign-in, or of what `subject` names. */
const linkIn = async (product: Product, address: string, subject: RegExp): Promise<string> => {
  for (let count = 1; ; count++) {
    const { email } = await product.mailTo(address, count)
    if (!subject.test(email.subject ?? '')) continue
    const link = /https?:\S+\/end-session\?token=\S+/.exec(email.text ?? '')?.[0]
    if (link === undefined) throw new Error(`no link in ${email.text}`)
    return link
  }
}

test('a mail tells me of a browser that I do not know; its link signs that one out, and me not', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email } = person
  const stranger = await browser.newContext({ baseURL: setting.product.url })
  const there = await stranger.newPage()
  await there.goto('/login')
  await logIn(there, email)
  await expect(there).toHaveURL(/\/dashboard$/)
  await opened(page, '/dashboard')

  const link = await linkIn(setting.product, email, /New sign-in/)
  // As it is opened on a telephone, where nobody is signed in.
  const telephone = await browser.newContext()
  const visitor = await telephone.newPage()
  await visitor.goto(link)
  await expect(visitor).toHaveURL(/\/end-session$/)
  await expect(visitor.getByText(email)).toBeVisible()
  await expect(there.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await visitor.keyboard.press('Tab')
  await visitor.getByRole('button', { name: 'End this session' }).press('Enter')
  await expect(visitor.getByRole('heading', { name: 'The session has ended' })).toBeFocused()
  await expect(there).toHaveURL(/\/login/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'This session has ended' })).toBeVisible()
  await visitor.getByRole('link', { name: 'Set a new password' }).click()
  await expect(visitor).toHaveURL(/\/forgot-password/)
  await Promise.all([stranger.close(), telephone.close()])
})

test('somebody changes the address of my account: the mail to my old one signs them out', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email, call } = person
  await opened(page, '/dashboard')
  const taken = `taken-${email}`
  expect((await call('PATCH', '/profile', { email: taken, password: PASSWORD })).status).toBe(200)
  await page.goto((await mailedLink(setting.product, taken)).href)
  await expect(page).toHaveURL(/\/dashboard\/profile/)
  const context = await browser.newContext()
  const owner = await context.newPage()
  await owner.goto(await linkIn(setting.product, email, /was changed$/))
  await expect(owner.getByText(taken)).toBeVisible()
  await owner.getByRole('button', { name: 'End this session' }).click()
  await expect(owner.getByRole('heading', { name: 'The session has ended' })).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  await context.close()
})

test('the last Admin of two workspaces is led to switch to the other one', async ({ person }) => {
  const { page } = person
  expect((await person.call('POST', '/workspaces', { name: 'Second Engines' })).status).toBe(201)
  await opened(page, '/dashboard/security')
  const leave = page.getByRole('region', { name: 'Delete your account' })
  await expect(leave.getByRole('link', { name: /^Members of/ })).toHaveCount(1)
  await leave.getByRole('link', { name: /^Switch to/ }).click()
  await expect(page).toHaveURL(/workspaces/)
})

test('the last Admin of a workspace hands it over, and leaves', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email, workspace } = person
  const context = await browser.newContext({ baseURL: setting.product.url })
  const mary = await aPerson(setting, context, await context.newPage(), { workspace, role: 'User' })
  await opened(page, '/dashboard/security')
  const leave = page.getByRole('region', { name: 'Delete your account' })
  await expect(leave).toContainText('You are the last Admin')
  await leave.getByRole('link', { name: /^Members of/ }).click()
  await expect(page).toHaveURL(/settings\?tab=users/)
  expect((await person.call('PATCH', `/members/${mary.user.id}`, { role: 'Admin' })).status).toBe(
    200,
  )
  await opened(page, '/dashboard/security')
  await leave.getByRole('button', { name: 'Delete account' }).click()
  const question = page.getByRole('alertdialog')
  const confirm = question.getByRole('button', { name: 'Delete account' })
  await expect(confirm).toBeDisabled()
  await question.getByLabel(`Type ${email} to confirm`).fill(email)
  await question.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await confirm.click()
  await expect(leave).toContainText('Your account ends on')
  await leave.getByRole('button', { name: 'Keep my account' }).click()
  await expect(leave.getByRole('button', { name: 'Delete account' })).toBeVisible()
  await opened(page, '/dashboard/audit-log?topic=members')
  await expect(page.getByRole('table')).toContainText('User → Admin')
  await context.close()
})
