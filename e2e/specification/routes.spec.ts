/** Every path: who sees what there, its title, and where broken ones lead. */
import type { Page } from '@playwright/test'
import { answering, expect, opened, test } from './setting.ts'

/** Title of the document, and the main heading where it is another. */
const dashboardPages: Record<string, [title: string, heading?: string]> = {
  '/dashboard': ['Dashboard'],
  '/dashboard/domains': ['Domains'],
  '/dashboard/add-domain': ['Add Domain'],
  '/dashboard/mailboxes': ['Mailboxes'],
  '/dashboard/new-mail-box': ['Mailboxes'],
  '/dashboard/view-mail': ['View Mail'],
  '/dashboard/mail-box-settings': ['Mailbox settings'],
  '/dashboard/settings': ['Settings'],
  '/dashboard/profile': ['Profile'],
}

test('login, sign-up and forgotten password stand to the right of a picture [2.1]', async ({
  visitor: page,
}) => {
  for (const path of ['/login', '/sign-up', '/forgot-password']) {
    await page.goto(path)
    const email = page.getByRole('main').getByLabel('Email', { exact: true })
    await expect(email).toBeVisible()
    const picture = await page.getByRole('complementary').locator('svg').first().boundingBox()
    const field = await email.boundingBox()
    if (!picture || !field) throw new Error('nothing is there')
    expect(picture.x).toBe(0)
    expect(picture.width).toBeGreaterThan(600)
    expect(field.x).toBeGreaterThan(picture.x + picture.width)
  }
})

test('pages that mailed links lead to read what the link holds [2.2 2.3 2.4]', async ({
  visitor: page,
}) => {
  await page.goto('/email-verification?email=grace%2B1%40example.com')
  await expect(page.getByText('grace+1@example.com')).toBeVisible()
  await expect(page).toHaveTitle('Email verification | Mailstead')

  await page.goto('/create-new-password?token=of-the-link')
  await expect(page).toHaveTitle('Create new password | Mailstead')
  await page.getByLabel('New Password', { exact: true }).fill('Engine-No-2!')
  await page.getByLabel('Confirm Password', { exact: true }).fill('Engine-No-2!')
  const setting = page.waitForRequest('**/api/v1/auth/set-new-password')
  await page.getByRole('button', { name: 'Save New Password' }).click()
  expect((await setting).postDataJSON()).toMatchObject({ session: 'of-the-link' })

  const verifying = page.waitForRequest('**/api/v1/auth/verify-email')
  await page.goto('/verify-email?token=of-another-link')
  expect((await verifying).postDataJSON()).toEqual({ session: 'of-another-link' })
})

test('a broken verification link leads to /404-page [2.8 2.26]', async ({ visitor: page }) => {
  await page.goto('/verify-email?token=broken')
  await expect(page).toHaveURL('/404-page')
  await expectLost(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('any unknown path is not found, by visitors and by users [2.9]', async ({
  person,
  browser,
  baseURL,
}) => {
  const stranger = await browser.newPage({ ...(baseURL ? { baseURL } : {}) })
  for (const [page, path] of [
    [stranger, '/nowhere'],
    [stranger, '/404-page'],
    [stranger, '/dashboard/nowhere'],
    [person.page, '/login/further'],
    [person.page, '/dashboard/mailboxes/further'],
  ] as const) {
    await page.goto(path)
    await expectLost(page)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('status')).toHaveCount(0)
  }
  await stranger.getByRole('link', { name: 'Go Home' }).click()
  await expect(stranger).toHaveURL('/login')
  await person.page.getByRole('link', { name: 'Go Home' }).click()
  await expect(person.page).toHaveURL('/dashboard')
  await expect(person.page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await stranger.close()
})

test('pages of visitors have their titles [2.10]', async ({ visitor: page }) => {
  for (const [path, section] of Object.entries({
    '/login': 'Login',
    '/sign-up': 'Sign up',
    '/forgot-password': 'Forgot password',
    '/google-login': 'Google login',
    '/nowhere': 'Not found',
  })) {
    await page.goto(path)
    await expect(page).toHaveTitle(`${section} | Mailstead`)
  }
})

test('each page of the dashboard stands in the shell and has its title [2.6 2.7 2.10]', async ({
  person: { page },
}) => {
  for (const [path, [title, heading = title]] of Object.entries(dashboardPages)) {
    await page.goto(path)
    await expect(page).toHaveTitle(`${title} | Mailstead`)
    // A dialog that opens with the page hides the rest from readers.
    const main = page.getByRole('main', { includeHidden: true })
    await expect(
      main.getByRole('heading', { name: heading, level: 1, includeHidden: true }),
    ).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main', includeHidden: true })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})

test('a visitor sees no page of the dashboard [2.6]', async ({ visitor: page }) => {
  for (const path of Object.keys(dashboardPages)) {
    await page.goto(path)
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  }
})

test('a crash shows the same page, which leads to a dashboard that works again [2.27]', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard')
  await expect(page.getByText('from yesterday')).toBeVisible()
  // An answer that no page can show.
  const mend = await answering(page, 'GET', '/domains', { json: [null] })
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Domains' }).click()
  await expectLost(page)
  await expect(menu).toHaveCount(0)

  await mend()
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('from yesterday')).toBeVisible()
  await menu.getByRole('link', { name: 'Domains' }).click()
  await expect(page.getByText('Total Domains: 0')).toBeVisible()
})

const expectLost = async (page: Page): Promise<void> => {
  await expect(
    page.getByRole('heading', { name: "Whoops! We can't find that page.", exact: true, level: 1 }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go Home', exact: true })).toHaveAttribute(
    'href',
    '/dashboard',
  )
}
