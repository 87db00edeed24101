/** An Admin invites people by mail, and they join: a new user, a user with an account, and no other person. */
import type { Browser, Page } from '@playwright/test'
import type { Role } from '#contract/rights.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { mailedLink, PASSWORD } from '#test-world/trials/account.ts'
import { logIn, tick } from './browsers.ts'
import { withInstallation } from './specification/auth-parts.ts'
import {
  aPerson,
  expect,
  expectToast,
  failing,
  holding,
  hurryRetries,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const USERS = '/dashboard/settings?tab=users'
const anAddress = () => `grace-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const switcher = (page: Page) => page.getByRole('button', { name: /^Workspace:/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Invite to the workspace' })
const row = (page: Page, email: string) =>
  page.getByRole('table', { name: 'Open invitations' }).getByRole('row').filter({ hasText: email })
const menuOf = async (page: Page, email: string, item: RegExp) => {
  await button(page, `Actions for ${email}`).click()
  return page.getByRole('menuitem', { name: item })
}

/** By the API; the link that was mailed. */
const anInvitation = async (
  { product }: Setting,
  { call }: Person,
  email: string,
  role: Role = 'Editor',
) => {
  const { status, body } = await call('POST', '/invitations', { email, role })
  expect(status).toBe(201)
  return { id: body._id as string, link: (await mailedLink(product, email)).href }
}

/** A person with a browser of their own. */
const aVisitor = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage()
const aColleague = async (setting: Setting, browser: Browser): Promise<Person> => {
  const context = await browser.newContext({ baseURL: setting.product.url })
  return aPerson(setting, context, await context.newPage(), { email: anAddress() })
}

test.afterEach(async ({ browser, context }) => {
  const others = browser.contexts().filter((each) => each !== context)
  await Promise.all(others.map((each) => each.close()))
})

test('an Admin invites somebody new by keyboard, who signs up by the link and is in; the open page shows it', async ({
  person,
  setting: { product },
  browser,
}) => {
  const { page } = person
  const email = anAddress()
  await opened(page, USERS)
  await expect(page.getByText('Open invitations: 0')).toBeVisible()
  await button(page, 'Invite').press('Enter')
  const field = dialog(page).getByLabel('Email')
  await expect(field).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByLabel('Role')).toHaveText('User')
  await expect(dialog(page).getByLabel('Role')).toHaveAccessibleDescription(
    /Editor\s*Adds domains and mailboxes, .* given to them/,
  )
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'User' })).toBeFocused()
  await page.keyboard.type('e')
  await expect(page.getByRole('option', { name: 'Editor' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Role')).toHaveText('Editor')
  await field.press('Enter')
  await expectToast(page, 'Invitation sent', `${email} can join as Editor.`)
  await expect(dialog(page)).toBeHidden()
  await expect(button(page, 'Invite')).toBeFocused()
  await expect(page.getByText('Open invitations: 1')).toBeVisible()
  const cells = row(page, email).getByRole('cell')
  await expect(cells.nth(1)).toHaveText('Editor')
  await expect(cells.nth(2)).toHaveText('just now')
  await expect(cells.nth(3)).toHaveText('in 7 days')

  const grace = await aVisitor(browser)
  await grace.goto((await mailedLink(product, email)).href)
  await expect(heading(grace, 'Join Analytical Engines')).toBeVisible()
  await expect(grace).toHaveURL(`${product.url}/invitation`)
  await expect(grace.getByText(`(${person.email}) invites you to join as Editor.`)).toBeVisible()
  await expect(grace.getByLabel('Email')).toHaveValue(email)
  await expect(grace.getByLabel('Email')).toHaveAttribute('readonly')
  await grace.getByLabel('First name').fill('Grace')
  await grace.getByLabel('Last name').fill('Hopper')
  await grace.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await grace.getByLabel('Confirm Password').fill(`${PASSWORD}!`)
  await tick(grace.getByRole('checkbox'))
  await button(grace, 'Sign Up').click()
  const confirm = grace.getByLabel('Confirm Password')
  await expect(confirm).toHaveAccessibleDescription("Passwords don't match.")
  await confirm.fill(PASSWORD)
  await button(grace, 'Sign Up').click()
  await expectToast(grace, 'You joined Analytical Engines', 'You are Editor there.')
  await expect(grace).toHaveURL(`${product.url}/dashboard`)
  await button(grace, 'Lets go').click()
  await expect(switcher(grace)).toHaveText(/Analytical Engines\s*Editor/)

  // The Admin did nothing on their page in the meantime.
  await expect(page.getByText('Users: 2')).toBeVisible()
  await expect(page.getByText('Open invitations: 0')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Users' })).toContainText('Grace Hopper')
})

test('somebody with an account logs in, is asked, and joins; the workspace is the current one', async ({
  person,
  setting,
  browser,
}) => {
  const { context, page, email } = await aColleague(setting, browser)
  await context.clearCookies()
  const { link } = await anInvitation(setting, person, email, 'Admin')
  await page.goto(link)
  await expect(page.getByText(`Log in as ${email} to go on.`)).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveCount(0)
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await logIn(page, email)
  await expect(heading(page, 'Join Analytical Engines as Admin?')).toBeVisible()
  const end = await failing(page, 'POST', '/invitations/join', { statusCode: 500 })
  await button(page, 'Join').click()
  await expectToast(page, 'Error', 'Something went wrong')
  await end()
  await page.reload()
  await button(page, 'Join').click()
  await expectToast(page, 'You joined Analytical Engines', 'You are Admin there.')
  await expect(switcher(page)).toHaveText(/Analytical Engines\s*Admin/)
  await switcher(page).click()
  await expect(page.getByRole('menuitemcheckbox')).toHaveCount(2)
  await expect(page.getByRole('menuitemcheckbox', { checked: true })).toHaveCount(1)
  await page.goto(link)
  await expect(heading(page, 'This invitation has been used')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()
})

test('signed in as somebody else: log out, and go on with the invited address; or decline', async ({
  person,
  setting,
  browser,
}) => {
  const email = anAddress()
  const { link } = await anInvitation(setting, person, email)
  const { page, email: ownEmail } = await aColleague(setting, browser)
  await page.goto(link)
  await expect(heading(page, 'This invitation is for another person')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(email)
  await expect(page.getByRole('main')).toContainText(ownEmail)
  const end = await failing(page, 'POST', '/auth/logout', { statusCode: 500 })
  await button(page, 'Log out').click()
  await expectToast(page, 'Error', 'Failed to logout, please try again')
  await end()
  await button(page, 'Log out').click()
  await expect(heading(page, 'Join Analytical Engines')).toBeFocused()
  await button(page, 'Decline').click()
  const question = page.getByRole('alertdialog', { name: 'Decline the invitation?' })
  await expect(question).toContainText('Analytical Engines')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(button(page, 'Decline')).toBeFocused()
  await button(page, 'Decline').click()
  await question.getByRole('button', { name: 'Decline' }).click()
  await expect(heading(page, 'This invitation was declined')).toBeFocused()
  await page.getByRole('link', { name: 'Go to login' }).click()
  await expect(heading(page, 'Welcome Back')).toBeVisible()
  expect((await person.call('GET', '/invitations')).body).toEqual([])
})

test('a link that is broken, expired, revoked or cannot be looked up says so, with a way on', async ({
  person,
  setting,
  visitor: page,
}) => {
  const { db, clock } = setting
  await hurryRetries(page)
  await person.context.clearCookies()
  for (const query of ['', '?token=nonsense', `?token=${'x'.repeat(300)}`]) {
    await page.goto(`/invitation${query}`)
    await expect(heading(page, 'This invitation link is not valid')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go to login' })).toBeVisible()
    await page.evaluate(() => sessionStorage.clear())
  }
  const { id, link } = await anInvitation(setting, person, anAddress())
  const answer = await holding(page, '/invitations/open')
  await page.goto(link)
  await expect(heading(page, 'Opening your invitation...')).toBeVisible()
  answer()
  await expect(heading(page, 'Join Analytical Engines')).toBeVisible()
  await db
    .updateTable('invitationLinks')
    .set({ expiresAt: clock.now() })
    .where('invitationId', '=', id)
    .execute()
  await page.reload()
  await expect(heading(page, 'This invitation has expired')).toBeVisible()
  await expect(page.getByText('Invitations work for 7 days.')).toBeVisible()
  await person.call('DELETE', `/invitations/${id}`)
  await page.goto(link)
  await expect(heading(page, 'This invitation was withdrawn')).toBeVisible()

  const busy = { statusCode: 429, type: 'TOO_MANY_REQUESTS' } as const
  const end = await failing(page, 'POST', '/invitations/open', busy)
  await page.goto(link)
  await expect(page.getByText('Error loading the invitation')).toBeVisible()
  await end()
  await button(page, 'Try again').click()
  await expect(heading(page, 'This invitation was withdrawn')).toBeVisible()
})

test('an invitation is refused at its field, renewed, sent again after 30 seconds, and revoked', async ({
  person,
  setting: { product, db, clock },
}) => {
  const { page } = person
  const email = anAddress()
  const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000)
  await opened(page, USERS)
  await button(page, 'Invite').click()
  const field = dialog(page).getByLabel('Email')
  const send = button(page, 'Send invitation')
  for (const [typed, message] of [
    ['', 'Please enter your email'],
    ['ada', 'Invalid email address'],
    ['x@y', 'Invalid email address'],
    [`${'x'.repeat(10_000)}@${ELSEWHERE}`, 'Invalid email address'],
    [`אדה@${ELSEWHERE}`, 'Invalid email address'],
    [person.email.toUpperCase(), 'This person is already in the workspace'],
  ] as const) {
    await field.fill(typed)
    await send.click()
    await expect(field).toHaveAccessibleDescription(message)
    await expect(field).toHaveValue(typed)
    await expect(field).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await field.fill(email)
  await send.click()
  await expectToast(page, 'Invitation sent')

  await expect(await menuOf(page, email, /^Resend in (30|2\d)s$/)).toBeDisabled()
  await page.keyboard.press('Escape')
  await button(page, 'Invite').click()
  await field.fill(email)
  await send.click()
  await expectToast(page, 'Error', 'Too many requests')
  await expect(field).toHaveValue(email)
  await db.deleteFrom('throttles').where('key', 'like', `invitation:%:${email}`).execute()
  await dialog(page).getByLabel('Role').click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await send.click()
  await expectToast(page, 'Invitation renewed', `${email} can join as Admin.`)
  await expect(row(page, email).getByRole('cell').nth(1)).toHaveText('Admin')
  await expect(page.getByText('Open invitations: 1')).toBeVisible()

  await db.deleteFrom('throttles').where('key', 'like', `invitation:%:${email}`).execute()
  const old = { sentAt: minutesAgo(8 * 24 * 60), expiresAt: minutesAgo(24 * 60) }
  await db.updateTable('invitations').set(old).where('email', '=', email).execute()
  await opened(page)
  await expect(row(page, email).getByRole('cell').nth(3)).toHaveText('yesterday')
  await (await menuOf(page, email, /^Resend invitation$/)).click()
  await expectToast(page, 'Invitation sent again', `To ${email}`)
  await expect(row(page, email).getByRole('cell').nth(3)).toHaveText('in 7 days')
  await product.mailTo(email, 3)

  await (await menuOf(page, email, /^Revoke invitation$/)).click()
  const question = page.getByRole('alertdialog', { name: `Revoke the invitation of ${email}?` })
  await expect(question).toContainText('stop working')
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expectToast(page, 'Invitation revoked', email)
  await expect(page.getByText('Open invitations: 0')).toBeVisible()
})

test('another Admin’s page shows what changes; on a phone everything fits; invitations that cannot be read say so', async ({
  person,
  setting,
}) => {
  const { page } = person
  const email = `${'maximiliane-alexandrina.'.repeat(2)}${anAddress()}`
  await hurryRetries(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await opened(page, USERS)
  await expect(page.getByText('Open invitations: 0')).toBeVisible()
  const { id } = await anInvitation(setting, person, email, 'User')
  await expect(row(page, email)).toContainText(/Sent .+, expires in 7 days/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await person.call('DELETE', `/invitations/${id}`)
  await expect(page.getByText('Open invitations: 0')).toBeVisible()
  const busy = { statusCode: 429, type: 'TOO_MANY_REQUESTS' } as const
  const end = await failing(page, 'GET', '/invitations', busy)
  await page.reload()
  await expect(page.getByText('Error loading the invitations')).toBeVisible()
  await end()
  await button(page, 'Try again').click()
  await expect(page.getByText('Open invitations: 0')).toBeVisible()
})

test('where sign-up is by invitation or closed, the pages say so', async ({
  person,
  setting,
  visitor: page,
}) => {
  await person.context.clearCookies()
  const { link } = await anInvitation(setting, person, anAddress())
  // What the server refuses then is tried at its door: server/http/tests/invitations.test.ts.
  await withInstallation(page, { signUp: 'invite' })
  await page.goto('/sign-up')
  await expect(page.getByText('Sign-up is by invitation here.')).toBeVisible()
  await page.goto(link)
  await expect(button(page, 'Sign Up')).toBeVisible()
  await withInstallation(page, { signUp: 'closed' })
  await page.goto(link)
  await expect(page.getByText('Sign-up is closed here.')).toBeVisible()
  await expect(button(page, 'Sign Up')).toHaveCount(0)
  await expect(button(page, 'Decline')).toBeVisible()
  await page.goto('/sign-up')
  await expect(page.getByText('Sign-up is closed here.')).toBeVisible()
})
