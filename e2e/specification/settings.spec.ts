/** Settings: the company profile and the users of the workspace. */
import type { Page } from '@playwright/test'
import { aUser } from '#test-world/builders.ts'
import {
  aPerson,
  cutting,
  expect,
  expectToast,
  failing,
  holding,
  opened,
  type Person,
  test,
} from './setting.ts'

const company = {
  Name: 'Analytical Engines',
  Website: 'https://engines.example',
  Phone: '+44 20 7946 0018',
  Address: '12 St James’s Square',
  'Zip Code': 'SW1Y 4JH',
  City: 'London',
}
const refusals = {
  Name: 'Username is required',
  Website: '',
  Phone: 'Phone number must be at least 6 digits',
  Address: 'Address is required',
  'Zip Code': 'Zip code is required',
  Country: 'Country is required',
  City: 'City is required',
  'Time Zone': 'Time zone is required',
  'Time Format': 'Time format is required',
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true })
const choose = async (page: Page, label: string, option: string) => {
  await field(page, label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const valuesOf = async (page: Page, label: string): Promise<(string | undefined)[]> => {
  await field(page, label).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  const values = await page
    .getByRole('option')
    .evaluateAll((options) => options.map((option) => (option as HTMLElement).dataset.value))
  await page.keyboard.press('Escape')
  // A closed list gives the focus back to its button, a moment later.
  await expect(field(page, label)).toBeFocused()
  return values
}

/** Every member of the workspace of `person` besides them. */
const colleagues = async (person: Person, setting: Parameters<typeof aUser>[0]) => {
  const { db, clock } = setting
  const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
  const people = [
    { firstName: 'Grace', lastName: 'Hopper', role: 'Editor', lastLoginAt: hoursAgo(3) },
    { firstName: 'Mary', lastName: 'Somerville', role: 'User', lastLoginAt: null },
  ] as const
  for (const { role, ...given } of people) {
    const { id } = await aUser(setting, given)
    await db
      .insertInto('members')
      .values({ workspaceId: person.workspace.id, userId: id, role, createdAt: clock.now() })
      .execute()
  }
}

test('two tabs; the company form, its fields in order, and what each refuses [2.75 2.76 5.23 5.24 5.25 5.26]', async ({
  person: { page },
}) => {
  await page.goto('/dashboard/settings')
  await expect(page).toHaveTitle('Settings | Mailstead')
  await expect(page.getByRole('tab')).toHaveText(['Account', 'Users'])
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Account')
  await expect(page.getByRole('tabpanel').locator('label')).toHaveText([
    ...Object.keys(refusals),
    // Ours, for invoices.
    'VAT ID',
  ])
  await expect(page.getByRole('alert')).toHaveCount(0)
  for (const label of Object.keys(refusals)) {
    await expect(field(page, label)).toHaveAccessibleDescription('')
    if (label === 'Website') await expect(field(page, label)).not.toHaveAttribute('aria-required')
    else await expect(field(page, label)).toHaveAttribute('aria-required', 'true')
  }
  let saves = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') saves += 1
  })
  await update(page).click()
  for (const [label, message] of Object.entries(refusals))
    await expect(field(page, label)).toHaveAccessibleDescription(message)
  await expect(field(page, 'Name')).toBeFocused()

  await field(page, 'Website').fill('engines')
  await expect(field(page, 'Website')).toHaveAccessibleDescription('Enter a valid URL')
  await field(page, 'Website').fill('')
  await expect(field(page, 'Website')).toHaveAccessibleDescription('')
  await field(page, 'Phone').fill('12345')
  await expect(field(page, 'Phone')).toHaveAccessibleDescription(refusals.Phone)
  await field(page, 'Phone').fill('123456')
  await expect(field(page, 'Phone')).toHaveAccessibleDescription('')
  for (const [label, value] of Object.entries(company)) {
    await field(page, label).fill(value)
    await expect(field(page, label)).toHaveAccessibleDescription('')
  }
  await choose(page, 'Country', 'UK')
  await choose(page, 'Time Zone', 'GMT (Greenwich mean time)')
  await choose(page, 'Time Format', '24h (14:30)')
  expect(saves).toBe(0)

  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await update(page).click()
  expect((await sent).postDataJSON()).toEqual({
    ...{ name: company.Name, website: company.Website, phone: company.Phone },
    ...{ address: company.Address, zipCode: company['Zip Code'], city: company.City },
    ...{ country: 'uk', timeZone: 'gmt', timeFormat: '24h', vatId: '' },
  })
  await expectToast(page, 'Company profile updated')
})

test('all that is wrong is said at once, also when the button is pressed in the middle of a field [5.24]', async ({
  person,
}) => {
  const { page } = person
  await page.goto('/dashboard/settings')
  await field(page, 'Website').pressSequentially('engines')
  await update(page).click()
  const wrong = { ...refusals, Website: 'Enter a valid URL' }
  for (const [label, message] of Object.entries(wrong))
    await expect(field(page, label)).toHaveAccessibleDescription(message)

  const empty = { name: '', phone: '', address: '', zipCode: '', city: '' }
  const answer = await person.call('PUT', '/company', {
    ...{ ...empty, website: 'engines', country: '', timeZone: '', timeFormat: '' },
  })
  expect(answer.status).toBe(422)
  expect(Object.values((answer.body as { data: object }).data).toSorted()).toEqual(
    Object.values(wrong).toSorted(),
  )
})

test('the options of the specification come first, under their values; lists work by keyboard [3.16 3.17 3.18]', async ({
  person: { page },
}) => {
  await page.goto('/dashboard/settings')
  const countries = await valuesOf(page, 'Country')
  expect(countries.slice(0, 3)).toEqual(['usa', 'canada', 'uk'])
  expect(countries).toHaveLength(249)
  const zones = await valuesOf(page, 'Time Zone')
  expect(zones.slice(0, 3)).toEqual(['pst', 'est', 'gmt'])
  expect(zones.length).toBeGreaterThan(400)
  expect(await valuesOf(page, 'Time Format')).toEqual(['12h', '24h'])

  await field(page, 'Country').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(249)
  await expect(page.getByRole('combobox', { name: 'Search countries' })).toBeFocused()
  await page.keyboard.type('ger')
  await expect(page.getByRole('option').first()).toHaveText('Germany')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Country')).toHaveText('Germany')
  await expect(field(page, 'Country')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('zzz')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field(page, 'Country')).toHaveText('Germany')
})

test('a saved company profile is there again, for this workspace; leaving asks only before it is saved [1.7]', async ({
  person: { page },
}) => {
  await page.goto('/dashboard/settings')
  for (const [label, value] of Object.entries(company)) await field(page, label).fill(value)
  await choose(page, 'Country', 'USA')
  await choose(page, 'Time Zone', 'PST (Pacific time)')
  await choose(page, 'Time Format', '12h (2:30 PM)')
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  await page.getByRole('tab', { name: 'Users' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(field(page, 'City')).toHaveValue('London')
  await update(page).click()
  await expectToast(page, 'Company profile updated')
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(page.getByText('Users: 1')).toBeVisible()
  await expect(question).toBeHidden()
  await page.reload()
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Users')
  await page.getByRole('tab', { name: 'Account' }).click()
  for (const [label, value] of Object.entries(company))
    await expect(field(page, label)).toHaveValue(value)
  for (const [label, shown] of [
    ['Country', 'USA'],
    ['Time Zone', 'PST (Pacific time)'],
    ['Time Format', '12h (2:30 PM)'],
  ] as const)
    await expect(field(page, label)).toHaveText(shown)
  await field(page, 'City').fill('Paris')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/dashboard\/domains$/)
})

test('while it loads, where it cannot be read, and where it cannot be saved, nothing is lost [2.76]', async ({
  person: { page },
}) => {
  const letGo = await holding(page, '/company')
  await page.goto('/dashboard/settings')
  await expect(page.getByText('Loading...')).toBeAttached()
  await expect(update(page)).toHaveCount(0)
  letGo()
  await expect(update(page)).toBeVisible()
  const readable = await failing(page, 'GET', '/company', { statusCode: 403, type: 'FORBIDDEN' })
  await page.reload()
  await expect(page.getByText('Error loading the company profile')).toBeVisible()
  await readable()
  await page.getByRole('button', { name: 'Try again' }).click()

  for (const [label, value] of Object.entries(company)) await field(page, label).fill(value)
  await choose(page, 'Country', 'Canada')
  await choose(page, 'Time Zone', 'EST (Eastern time)')
  await choose(page, 'Time Format', '24h (14:30)')
  const tooMany = { statusCode: 429, type: 'TOO_MANY_REQUESTS', message: 'Slow down' } as const
  const cut = () => cutting(page, '/company')
  for (const [begin, text] of [
    [() => failing(page, 'PUT', '/company', { statusCode: 500 }), 'Something went wrong'],
    [() => failing(page, 'PUT', '/company', tooMany), 'Too many requests'],
    [cut, 'Something went wrong'],
  ] as const) {
    const end = await begin()
    await update(page).click()
    await expectToast(page, 'Error', text)
    await page.getByRole('button', { name: 'Close notification' }).click()
    for (const [label, value] of Object.entries(company))
      await expect(field(page, label)).toHaveValue(value)
    await expect(field(page, 'Country')).toHaveText('Canada')
    await end()
  }
  await update(page).click()
  await expectToast(page, 'Company profile updated')
})

test('the users are a read-only table of names, types and last logins, to sort and to search [2.77 3.24]', async ({
  person,
  setting,
}) => {
  await colleagues(person, setting)
  const { page } = person
  await page.goto('/dashboard/settings?tab=users')
  const table = page.getByRole('table', { name: 'Users' })
  await expect(page.getByText('Users: 3')).toBeVisible()
  await expect(table.getByRole('columnheader')).toHaveText([
    'Name',
    'Type',
    'Last Login',
    'Actions',
  ])
  await expect(table.locator('input, select, textarea, [contenteditable]')).toHaveCount(0)
  const row = (name: string) => table.getByRole('row').filter({ hasText: name })
  const cells = (name: string) => row(name).getByRole('cell')
  await expect(cells(person.email).nth(0)).toContainText('Ada Lovelace(you)')
  await expect(cells(person.email).nth(1)).toHaveText('Admin')
  await expect(cells(person.email).nth(2)).toHaveText('just now')
  await expect(cells('Grace Hopper').nth(1)).toHaveText('Editor')
  await expect(cells('Grace Hopper').nth(2)).toHaveText('3 hours ago')
  await expect(cells('Mary Somerville').nth(1)).toHaveText('User')
  await expect(cells('Mary Somerville').nth(2)).toHaveText('Never')

  const names = table.getByRole('row').locator('td:first-child .font-medium:not([aria-hidden])')
  const order = async () => (await names.allInnerTexts()).filter((text) => text.includes(' '))
  const byName = table.getByRole('columnheader', { name: 'Name' }).getByRole('button')
  await byName.press('Enter')
  await expect.poll(order).toEqual(['Ada Lovelace', 'Grace Hopper', 'Mary Somerville'])
  await byName.press('Enter')
  await expect.poll(order).toEqual(['Mary Somerville', 'Grace Hopper', 'Ada Lovelace'])
  const search = page.getByRole('searchbox', { name: 'Search users' })
  await search.fill('EDITOR')
  await expect.poll(order).toEqual(['Grace Hopper'])
  await search.fill('nobody')
  await expect(page.getByText('Nobody here matches “nobody”.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(table.getByRole('row')).toHaveCount(4)
  // The keyboard goes as the eye does, on a phone too.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Invite', exact: true }).focus()
  await page.keyboard.press('Tab')
  await expect(search).toBeFocused()
  const top = async (locator: typeof search) => (await locator.boundingBox())?.y ?? 0
  expect(await top(search)).toBeGreaterThan(
    await top(page.getByRole('button', { name: 'Invite', exact: true })),
  )
})

test('an Admin changes types and removes users, never the last Admin; others see no settings [3.24]', async ({
  person,
  setting,
  browser,
}) => {
  await colleagues(person, setting)
  const { page, workspace } = person
  await page.goto('/dashboard/settings?tab=users')
  const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' })
  const actions = (name: string) => page.getByRole('button', { name: `Actions for ${name}` })
  await actions('Grace Hopper').click()
  await expect(page.getByRole('menuitemcheckbox')).toHaveText(['Admin', 'Editor', 'User'])
  await page.getByRole('menuitemcheckbox', { name: 'User' }).click()
  await expectToast(page, 'Role changed', 'Grace Hopper is now User.')
  await expect(row.getByRole('cell').nth(1)).toHaveText('User')

  await actions('Grace Hopper').click()
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove Grace Hopper?' })
  await expect(question).toContainText('can no longer see the domains and mailboxes here')
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expectToast(page, 'User removed', 'Grace Hopper')
  await expect(page.getByText('Users: 2')).toBeVisible()

  await actions('Ada Lovelace').click()
  await page.getByRole('menuitem', { name: 'Leave workspace' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expectToast(page, 'Error', 'A workspace keeps at least one Admin')

  const context = await browser.newContext()
  const editor = await aPerson(setting, context, await context.newPage(), {
    role: 'Editor',
    workspace,
  })
  await editor.page.goto(`${setting.product.url}/dashboard/settings`)
  await expect(editor.page.getByText('Only an Admin can see this')).toBeVisible()
  await expect(editor.page.getByRole('tab')).toHaveCount(0)
  await context.close()
})

test('users that cannot be read say so, with a way on [2.77]', async ({ person: { page } }) => {
  const readable = await failing(page, 'GET', '/members', { statusCode: 403, type: 'FORBIDDEN' })
  await page.goto('/dashboard/settings?tab=users')
  await expect(page.getByText('Error loading users')).toBeVisible()
  await readable()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Users: 1')).toBeVisible()
})

test('a tab shows the ring of the keyboard only to the keyboard [2.75]', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard')
  // Who came by keyboard takes the mouse now.
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Type a command or search...').fill('settings')
  await page.keyboard.press('Enter')
  const tab = (name: string) => page.getByRole('tab', { name })
  const hasRing = (name: string) =>
    tab(name).evaluate((each) => getComputedStyle(each).outlineStyle !== 'none')
  await expect(tab('Users')).toBeVisible()
  await tab('Users').click()
  await expect(tab('Users')).toHaveAttribute('aria-selected', 'true')
  expect(await hasRing('Users')).toBe(false)
  // The keyboard goes on from there.
  await page.keyboard.press('ArrowLeft')
  await expect(tab('Account')).toBeFocused()
  expect(await hasRing('Account')).toBe(true)
  await page.keyboard.press('Enter')
  await expect(tab('Account')).toHaveAttribute('aria-selected', 'true')
})

test('the row of tabs scrolls sideways alone: no bar stands beside it', async ({ person }) => {
  const { page } = person
  for (const path of ['/dashboard/settings', '/dashboard/profile']) {
    await page.goto(path)
    await expect(page.getByRole('tablist')).toHaveCSS('overflow-y', 'hidden')
  }
})
