/** Who may do what: visitors and users, and the three roles of a workspace. */
import type { Browser, Page } from '@playwright/test'
import type { Role } from '#contract/rights.ts'
import { aDomain, aMailbox, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { logIn } from '../browsers.ts'
import {
  aPerson,
  expect,
  expectToast,
  failing,
  holding,
  type Person,
  type Setting,
  test,
} from './setting.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

test('a visitor sees login, a user the dashboard [6.1 6.3 6.4]', async ({ person }) => {
  const { page, context, email } = person
  await context.clearCookies()
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') calls.push(new URL(request.url()).pathname)
  })
  const release = await holding(page, '/auth/refresh')
  await page.goto('/dashboard/settings?tab=users')
  // Nothing of the dashboard shows before the session is known.
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('heading')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect.poll(() => calls).toEqual(['/api/v1/auth/refresh'])
  release()
  await expect(page).toHaveURL('/login')
  await expect(heading(page, 'Welcome Back')).toBeVisible()
  await logIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/dashboard/settings?tab=users')
  await expect(heading(page, 'Settings')).toBeVisible()
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
})

test('calls carry the bearer token and the cookies [6.5]', async ({ person }) => {
  const { page, context } = person
  const asked = page.waitForRequest('**/api/v1/domains')
  await page.goto('/dashboard/domains')
  const { authorization = '', cookie = '' } = await (await asked).allHeaders()
  const stored = (await context.cookies()).find(({ name }) => name === '_access_token')
  const { token } = JSON.parse(decodeURIComponent(stored?.value ?? '{}'))
  expect(authorization).toBe(`Bearer ${token}`)
  expect(cookie).toContain('_access_token=')
})

type Company = { admin: Person; editor: Person; user: Person; domain: Domain; mailbox: Mailbox }

/** One workspace with an Admin, an Editor and a User, a domain and a mailbox that is not paid for. */
const aCompany = async (setting: Setting, admin: Person, browser: Browser): Promise<Company> => {
  const { workspace } = admin
  const join = async (role: Role) => {
    const context = await browser.newContext({ baseURL: setting.product.url })
    return aPerson(setting, context, await context.newPage(), { role, workspace, firstName: role })
  }
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, status: 'inactive', localPart: 'charles' })
  return { admin, editor: await join('Editor'), user: await join('User'), domain, mailbox }
}

const leave = ({ editor, user }: Company) =>
  Promise.all([editor.context.close(), user.context.close()])

test('the table of users shows Admin, Editor and User [6.6]', async ({
  setting,
  person,
  browser,
}) => {
  const company = await aCompany(setting, person, browser)
  await person.page.goto('/dashboard/settings?tab=users')
  const table = person.page.getByRole('table', { name: 'Users' })
  for (const [{ email }, role] of [
    [person, 'Admin'],
    [company.editor, 'Editor'],
    [company.user, 'User'],
  ] as const)
    await expect(
      table.getByRole('row').filter({ hasText: email }).getByRole('cell', { name: role }).first(),
    ).toBeVisible()
  await leave(company)
})

test('the server lets each role do its own and refuses the rest [6.7]', async ({
  setting,
  person,
  browser,
}) => {
  const company = await aCompany(setting, person, browser)
  const { editor, user, domain, mailbox, admin } = company
  const adminsOnly = [
    ...[['GET', '/invoices'] as const, ['GET', '/company'] as const, ['GET', '/members'] as const],
    ['POST', '/payments', { mailboxIds: [mailbox.id] }] as const,
    ['PUT', '/company', {}] as const,
    ['PATCH', `/members/${admin.user.id}`, { role: 'User' }] as const,
    ['DELETE', `/members/${admin.user.id}`] as const,
    ['PATCH', `/workspaces/${admin.workspace.id}`, { name: 'Mine' }] as const,
    ['GET', `/domains/${domain.id}/move`] as const,
    ['POST', `/domains/${domain.id}/move`, { workspaceId: admin.workspace.id }] as const,
  ]
  const managersOnly = [
    ['GET', '/domains'] as const,
    ['POST', '/domains', { name: 'roles.example' }] as const,
    ...[['GET', `/domains/${domain.id}`] as const, ['DELETE', `/domains/${domain.id}`] as const],
    ['GET', `/dns-records/ownership/${domain.id}`] as const,
    ['GET', `/dns-records/dns/${domain.id}`] as const,
    ['POST', `/dns-records/verify-ownership/${domain.id}`] as const,
    ['POST', `/dns-records/verify-dns/${domain.id}`] as const,
    ['GET', `/mailboxes/${mailbox.id}`] as const,
    ['POST', '/mailboxes', {}] as const,
    ['POST', '/mailboxes/generate', {}] as const,
    ['PATCH', `/mailboxes/${mailbox.id}`, {}] as const,
    ['DELETE', `/mailboxes/${mailbox.id}`] as const,
  ]
  const everybody = [
    ...[['GET', '/stats'] as const, ['GET', '/workspaces'] as const, ['GET', '/profile'] as const],
    ['GET', '/mailboxes'] as const,
  ]
  const isRefused = async (
    who: Person,
    [method, path, body]: readonly [string, string, unknown?],
  ) => (await who.call(method, path, body)).status === 403
  for (const call of adminsOnly) {
    expect(await isRefused(editor, call), `Editor ${call}`).toBe(true)
    expect(await isRefused(user, call), `User ${call}`).toBe(true)
  }
  for (const call of managersOnly) expect(await isRefused(user, call), `User ${call}`).toBe(true)
  for (const call of managersOnly.filter(([method]) => method !== 'DELETE'))
    expect(await isRefused(editor, call), `Editor ${call}`).toBe(false)
  for (const call of everybody) expect(await isRefused(user, call), `User ${call}`).toBe(false)
  const reading = `/mailboxes/${mailbox.id}/messages?folder=inbox&limit=1`
  for (const who of [editor, user]) expect((await who.call('GET', reading)).status).toBe(403)
  await leave(company)
})

test('an Editor manages domains and mailboxes; money, members and company are an Admin’s [6.7]', async ({
  setting,
  person,
  browser,
}) => {
  const company = await aCompany(setting, person, browser)
  const rights = async ({ page }: Person, isAdmin: boolean) => {
    await page.goto('/dashboard/domains')
    await expect(page.getByRole('button', { name: 'Add Domain' })).toBeEnabled()
    await page.getByRole('button', { name: `Actions for ${company.domain.name}` }).click()
    const move = page.getByRole('menuitem', { name: 'Add to workspace' })
    await (isAdmin ? expect(move).toBeEnabled() : expect(move).toBeDisabled())
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Workspace:/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Create workspace' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Rename workspace' })).toHaveCount(
      isAdmin ? 1 : 0,
    )
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Create mailboxes' })).toBeEnabled()
    await expect(page.getByRole('button', { name: 'Auto generate' })).toBeEnabled()
    const pay = page.getByRole('button', { name: 'Pay Now ($2)' })
    await (isAdmin ? expect(pay).toBeEnabled() : expect(pay).toBeDisabled())
    if (!isAdmin) {
      await pay.hover()
      await expect(page.getByRole('tooltip')).toHaveText(['Only an Admin of the workspace can pay'])
      await pay.press('Enter')
      await expectToast(page, 'Only an Admin of the workspace can pay')
    }
    const lock = page.getByText('Only an Admin can see this')
    for (const [path, shown] of [
      ['/dashboard/settings', page.getByRole('tab', { name: 'Users' })],
      ['/dashboard/profile?tab=billing', page.getByText('No invoices yet')],
    ] as const) {
      await page.goto(path)
      await expect(isAdmin ? shown : lock).toBeVisible()
      await expect(isAdmin ? lock : shown).toHaveCount(0)
    }
  }
  await rights(company.admin, true)
  await rights(company.editor, false)
  await leave(company)
})

test('a User sees what is given to them, and no button that the server would refuse [6.7]', async ({
  setting,
  person,
  browser,
}) => {
  const company = await aCompany(setting, person, browser)
  const { page } = company.user
  const refused: string[] = []
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()))
  await page.goto('/dashboard')
  await expect(page.getByText('Total Domains', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Workspace:/ })).toContainText('User')
  await expect(page.getByText('First steps')).toHaveCount(0)
  await expect(page.getByText('Needs attention')).toHaveCount(0)

  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(page.getByText('Only Admins and Editors can see this')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Domain' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
  await expect(page.getByText('No mailboxes available')).toBeVisible()
  const ask = 'Ask an Admin of this workspace to give you a mailbox.'
  await expect(page.getByText(ask)).toBeVisible()
  await expect(page.getByText('Add a new mailbox')).toHaveCount(0)
  await expect(
    page.getByRole('button', { name: /^(Create mailboxes|Auto generate)$/ }),
  ).toHaveCount(0)
  await page.getByRole('link', { name: 'Add new Mailbox' }).click()
  await expect(page).toHaveURL('/dashboard/new-mail-box')
  await expect(page.getByText('Only Admins and Editors add mailboxes.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('link', { name: 'View Mailbox' }).click()
  await expect(page.getByText(ask)).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByText('Only an Admin can see this')).toBeVisible()
  expect(refused).toEqual([])

  await page.goto('/dashboard/add-domain')
  await expect(page.getByText('Only Admins and Editors can see this')).toBeVisible()
  await expect(page.getByLabel('Enter domain')).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to your mail' }).click()
  await expect(page).toHaveURL('/dashboard/view-mail')

  await letRead(setting, company.mailbox, company.user.user.id)
  const unpaid = page.waitForResponse(/status=inactive/)
  await page.goto('/dashboard/mailboxes')
  await unpaid
  await expect(page.getByRole('link', { name: company.mailbox.email })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay Now/ })).toHaveCount(0)

  // Not asked for either while it is not known yet who may see it.
  for (const path of ['/dashboard/domains', `/dashboard/add-domain?id=${company.domain.id}`]) {
    const release = await holding(page, '/workspaces')
    await page.goto(path)
    await expect(page.getByText('Loading...').first()).toBeAttached()
    release()
    await expect(page.getByText('Only Admins and Editors can see this')).toBeVisible()
  }
  expect(refused).toEqual([])
  await leave(company)
})

test('a right that is taken while its page is open: refused, and told [6.7]', async ({
  person,
}) => {
  const { page } = person
  await page.goto('/dashboard/add-domain')
  await page.getByLabel('Enter domain').fill('no-longer.example')
  const message = 'You are not allowed to do this'
  await failing(page, 'POST', '/domains', { statusCode: 403, type: 'FORBIDDEN', message })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: message })).toBeVisible()
  await expect(page.getByLabel('Enter domain')).toHaveValue('no-longer.example')
})
