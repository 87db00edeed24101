/** The add-domain wizard: its four steps, what leads from one to the next, and what it says on the way. */
import { expect, type Page } from '@playwright/test'
import type { DnsRecord } from '#contract/domains.ts'
import { aDomain } from '#test-world/builders.ts'
import { aDomainWithRecords } from './domain-rows.ts'
import { expectToast, failing, holding, type Setting, test } from './setting.ts'

const WIZARD = '/dashboard/add-domain'

const step = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name, exact: true })
const field = (page: Page) => page.getByLabel('Enter domain', { exact: true })
const next = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true })
const verify = (page: Page) => page.getByRole('button', { name: 'Verify', exact: true })
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true, level: 2 })
const statusOf = (page: Page, value: string) =>
  page.getByRole('row').filter({ hasText: value }).getByRole('cell').last().locator('div')

/** Clicking this step answers with this sentence, once, and leads nowhere. */
const isRefused = async (page: Page, name: string, sentence: string) => {
  const current = await page.locator('[aria-current="step"]').textContent()
  await step(page, name).click()
  await expectToast(page, sentence)
  await expect(page.locator('[aria-current="step"]')).toHaveText(current ?? '')
  await page.getByRole('button', { name: 'Close notification' }).click()
  await expect(page.getByRole('button', { name: 'Close notification' })).toHaveCount(0)
}

/** What the page says is published; so that the next check finds it. */
const publish = ({ product }: Setting, domain: string, records: readonly DnsRecord[]) => {
  product.dns.zone(domain)
  for (const { type, name, value, priority } of records)
    if (type === 'TXT') product.dns.set(name, 'TXT', [value.match(/.{1,255}/gs) ?? []])
    else product.dns.set(name, 'MX', [`${priority} ${value}`])
}

test('four steps, the field of the first, and no way past it without a domain [2.54 2.55 4.27 5.12 5.13 9.10]', async ({
  person: { page },
}) => {
  await page.goto(WIZARD)
  await expect(page.getByRole('navigation', { name: 'Steps' }).getByRole('button')).toHaveText([
    /Add domain$/,
    /Verify domain$/,
    /Verify DNS$/,
    /Finish$/,
  ])
  await expect(step(page, 'Add domain')).toHaveAttribute('aria-current', 'step')
  await expect(field(page)).toHaveAttribute('placeholder', 'example.com')
  await expect(next(page)).toBeDisabled()
  for (const name of ['Verify domain', 'Verify DNS', 'Finish'])
    await isRefused(page, name, 'Please create a domain first')

  const short = 'Domain must be at least 3 characters'
  const wrong = 'Invalid domain format (example: example.com)'
  const label = 'a'.repeat(46)
  const refused: Record<string, string> = {
    '': short,
    ab: short,
    '   ': short,
    abc: wrong,
    'https://example.com/shop': wrong,
    'https://example.com//': wrong,
    'ftp://example.com': wrong,
    'https://': short,
    'ada@example.com': wrong,
    'exa mple.com': wrong,
    '-example.com': wrong,
    'example..com': wrong,
    'exam_ple.com': wrong,
    'example.com:25': wrong,
    localhost: wrong,
    '\u202eexample.com': wrong,
    دامنه: wrong,
    [`${label}x.com`]: 'Domain too long',
    ['x'.repeat(10_000)]: 'Domain too long',
  }
  for (const [text, message] of Object.entries(refused)) {
    await field(page).fill(text)
    await field(page).blur()
    const name = text.slice(0, 40)
    await expect(field(page), name).toHaveAccessibleDescription(new RegExp(`${escaped(message)}$`))
    await expect(field(page), name).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText(message, { exact: true }), name).toBeVisible()
    await expect(field(page), name).toHaveValue(text)
    await expect(next(page), name).toBeDisabled()
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  const accepted = [`${label}.com`, ' Example.COM. ', 'mail.example.co.uk', 'موقع.وزارة', 'a.bc']
  // From an address bar.
  const pasted = [`https://${label}.com/`, ' HTTP://www.Pasted.example/ ']
  for (const text of [...accepted, ...pasted]) {
    await field(page).fill(text)
    await expect(next(page), text).toBeEnabled()
    await expect(field(page), text).not.toHaveAttribute('aria-invalid')
  }
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await next(page).click()
  expect((await asked).postDataJSON()).toEqual({ name: 'www.pasted.example' })
})

const escaped = (text: string) => text.replace(/[()]/g, '\\$&')

test('Enter says what is wrong, and what only the server knows is said at the field too [8.13]', async ({
  person,
}) => {
  const { page } = person
  await page.goto(WIZARD)
  await field(page).pressSequentially('exam')
  await expect(page.getByText(/Invalid domain format/)).toHaveCount(0)
  await field(page).press('Enter')
  await expect(page.getByText('Invalid domain format (example: example.com)')).toBeVisible()

  await person.call('POST', '/domains', { name: 'mine.example' })
  const refused: Record<string, string> = {
    '192.0.2.25': 'Please enter a domain name, not an IP address',
    'co.uk': 'co.uk is a public suffix; please enter a name below it',
    'mail.localhost': 'Names ending in .localhost are reserved and cannot receive mail',
    'MINE.example.': 'This domain is already in your workspace',
  }
  for (const [text, message] of Object.entries(refused)) {
    await field(page).fill(text)
    await next(page).click()
    await expect(field(page)).toHaveAccessibleDescription(new RegExp(`${escaped(message)}$`))
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue(text)
    await expect(page).toHaveURL(/add-domain$/)
  }
  await field(page).fill('good.example')
  for (const message of ['', 'The disk is full']) {
    const mend = await failing(page, 'POST', '/domains', { statusCode: 500, message })
    await next(page).click()
    await expectToast(page, '❌ Error', message || 'Something went wrong')
    await expect(field(page)).toHaveValue('good.example')
    await expect(next(page)).toBeEnabled()
    await mend()
  }
})

test('the domain of a pasted link, address or web site is offered, and taken with one press', async ({
  person: { page },
}) => {
  await page.goto(WIZARD)
  const use = (name: string) => page.getByRole('button', { name: `Use ${name}`, exact: true })
  for (const [text, name, words] of [
    ['https://www.garden.example/contact', 'garden.example', 'Did you mean garden.example?'],
    ['gerda@garden.example', 'garden.example', 'Did you mean garden.example?'],
    [
      'www.garden.example',
      'garden.example',
      'www is the name of a web site: addresses usually end in @garden.example.',
    ],
    ['garden.cmo', 'garden.com', 'Did you mean garden.com?'],
  ] as const) {
    await field(page).fill(text)
    await expect(page.getByText(words)).toBeVisible()
    await use(name).click()
    await expect(field(page)).toHaveValue(name)
    await expect(field(page)).toBeFocused()
    await expect(field(page)).not.toHaveAttribute('aria-invalid')
    await expect(use(name)).toHaveCount(0)
  }
  await field(page).fill('mail.garden.example')
  await expect(next(page)).toBeEnabled()
  await expect(page.getByRole('button', { name: /^Use / })).toHaveCount(0)
})

test('what cannot become a domain is said while it is typed, and what is made of an address too', async ({
  person: { page },
}) => {
  await page.goto(WIZARD)
  await field(page).pressSequentially('a_b')
  await expect(page.getByText('Invalid domain format (example: example.com)')).toBeVisible()
  await expect(field(page)).toBeFocused()
  await field(page).press('Backspace')
  await field(page).press('Backspace')
  await expect(field(page)).not.toHaveAttribute('aria-invalid')
  await field(page).fill('')
  await field(page).pressSequentially('http://x.com')
  await expect(field(page)).toHaveAccessibleDescription(
    'This adds x.com, the domain of that address.',
  )
  await next(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'x.com' })).toBeVisible()
})

test('from a name to Finish, with every guard [1.10 2.56 2.57 2.58 2.60 4.26 4.28 4.29 4.30 4.31 4.32 4.33 4.34]', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  // The live event of a verified domain has its records read too, a moment before or after: here only Verify may do it.
  await page.route('**/api/v1/events', () => undefined)
  await page.goto(WIZARD)
  await field(page).fill(' MÜLLER-Walk.example. ')
  await field(page).press('Enter')
  await expect(page).toHaveURL(/\/add-domain\?id=[0-9a-f-]{36}$/)
  const id = new URL(page.url()).searchParams.get('id')
  const name = 'xn--mller-walk-9db.example'
  expect((await call('GET', `/domains/${id}`)).body).toMatchObject({ name, isVerified: false })
  await expect(heading(page, 'Verify domain')).toBeFocused()
  await expect(step(page, 'Verify domain')).toHaveAttribute('aria-current', 'step')
  await expect(page.getByRole('main')).toContainText('müller-walk.example')

  // Ownership: its record as the server has it, and nothing leads past it.
  const { body: proof } = await call('GET', `/dns-records/ownership/${id}`)
  const ownership = page.getByRole('table', { name: 'Ownership record' })
  await expect(ownership.getByRole('row')).toHaveCount(2)
  await expect(ownership.getByRole('columnheader')).toHaveText([
    ...['Type', 'Host', 'Value', 'TTL', 'Found now', 'Status'],
  ])
  await expect(ownership).toContainText(proof.value)
  await expect(ownership).toContainText('_mailstead')
  await expect(statusOf(page, proof.value)).toHaveText('Pending')
  await expect(verify(page)).toBeEnabled()
  await expect(next(page)).toBeDisabled()
  for (const beyond of ['Verify DNS', 'Finish'])
    await isRefused(page, beyond, 'Please verify ownership first')
  await step(page, 'Add domain').click()
  await expect(field(page)).toHaveValue('müller-walk.example')
  await expect(field(page)).toBeDisabled()
  await step(page, 'Verify domain').click()

  publish(setting, name, [proof])
  const reads = readsAfter(page, '/verify-ownership/')
  await verify(page).click()
  await expect(statusOf(page, proof.value)).toHaveText('Verified')
  await expect(page.getByText('Last checked just now.', { exact: true })).toBeVisible()
  await expect(verify(page)).toBeDisabled()
  await expect
    .poll(() => reads().filter((path) => path.endsWith(`/ownership/${id}`)).length)
    .toBe(1)
  await next(page).click()

  // The DNS records, in the same way.
  await expect(heading(page, 'Verify DNS')).toBeFocused()
  const { body: records } = await call('GET', `/dns-records/dns/${id}`)
  const required = records.filter((record: DnsRecord) => record.required)
  expect(required).toHaveLength(3)
  const table = page.getByRole('table', { name: 'DNS records', exact: true })
  for (const { value } of required) await expect(table).toContainText(value)
  await expect(verify(page)).toBeEnabled()
  await expect(next(page)).toBeDisabled()
  await isRefused(page, 'Finish', 'Please verify all DNS records first')
  publish(setting, name, required)
  const readsOfDns = readsAfter(page, '/verify-dns/')
  await verify(page).click()
  for (const { value } of required) await expect(statusOf(page, value)).toHaveText('Verified')
  await expect(verify(page)).toBeDisabled()
  await expect.poll(() => readsOfDns().filter((path) => path.endsWith(`/dns/${id}`)).length).toBe(1)
  // Verify is disabled now: what is only recommended, or has changed since, can still be looked up.
  publish(setting, name, records)
  const checkAgain = page.getByRole('button', { name: 'Check again' })
  await checkAgain.click()
  await expect(statusOf(page, 'mail.mailstead.example')).toHaveText('Verified')
  setting.product.dns.set(name, 'MX', ['10 mail.mailstead.example', '20 mx.old.example'])
  await checkAgain.click()
  await expect(page.getByText('mx.old.example is still named as a fallback')).toBeVisible()
  await next(page).click()

  await expect(heading(page, 'Domain Verified')).toBeFocused()
  const card = page.getByRole('main')
  await expect(
    card.getByRole('definition').filter({ hasText: 'müller-walk.example' }),
  ).toBeVisible()
  await expect(card.getByRole('definition').filter({ hasText: proof.value })).toBeVisible()
  await step(page, 'Add domain').click()
  await expect(step(page, 'Finish')).toHaveAttribute('aria-current', 'step')
  await expect(heading(page, 'Domain Verified')).toBeVisible()
  await page.getByRole('button', { name: 'Add mail box', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create mailbox' })
  await expect(dialog.getByLabel('Domain')).toContainText('müller-walk.example')
  // For more than one person, from here and from the step itself.
  await dialog.getByRole('button', { name: 'From a list' }).click()
  const list = page.getByRole('dialog', { name: 'Import mailboxes' })
  const domainOfList = list.getByLabel('Domain for rows without a domain')
  await expect(domainOfList).toHaveText('müller-walk.example')
  await page.goBack()
  await page.getByRole('button', { name: 'Add people from a list' }).click()
  await expect(domainOfList).toHaveText('müller-walk.example')
  await list.getByLabel('People').fill('Ada;Lovelace\nBob;Stone')
  await list.getByRole('button', { name: 'Check' }).click()
  await list.getByRole('button', { name: 'Create 2 mailboxes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.goBack()
  await page.getByRole('button', { name: 'Finish', exact: true }).last().click()
  await expect(page).toHaveURL(/\/dashboard\/domains$/)
})

/** Paths of the GETs that begin once this POST has been answered. */
const readsAfter = (page: Page, post: string) => {
  const paths: string[] = []
  let isAnswered = false
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().includes(post)) isAnswered = true
  })
  page.on('request', (request) => {
    if (isAnswered && request.method() === 'GET') paths.push(new URL(request.url()).pathname)
  })
  return () => paths
}

test('?id= starts at step 2; back and reload keep the place [2.59]', async ({
  setting,
  person,
}) => {
  const { page } = person
  const workspaceId = person.workspace.id
  const domain = await aDomainWithRecords(setting, {
    workspaceId,
    active: true,
    states: 'verified',
  })
  await page.goto(`${WIZARD}?id=${domain.id}`)
  await expect(heading(page, 'Verify domain')).toBeVisible()
  await expect(step(page, 'Verify domain')).toHaveAttribute('aria-current', 'step')
  await expect(verify(page)).toBeDisabled()
  await next(page).press('Enter')
  await expect(heading(page, 'Verify DNS')).toBeVisible()
  await expect(verify(page)).toBeDisabled()
  await page.reload()
  await expect(heading(page, 'Verify DNS')).toBeVisible()
  await next(page).click()
  await expect(heading(page, 'Domain Verified')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Verify DNS')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Verify domain')).toBeVisible()
  await page.goForward()
  await page.goForward()
  await expect(heading(page, 'Domain Verified')).toBeVisible()

  // A record that broke meanwhile: the kept place is beyond what is verified now.
  await setting.db
    .updateTable('domainRecords')
    .set({ state: 'waiting' })
    .where('domainId', '=', domain.id)
    .where('purpose', '=', 'dkim')
    .execute()
  await page.reload()
  await expect(heading(page, 'Verify DNS')).toBeVisible()
  await expect(next(page)).toBeDisabled()
})

test('Verified, Pending and Failed, and a long value that fits a phone [3.9]', async ({
  setting,
  person,
}) => {
  const { page, context } = person
  const workspaceId = person.workspace.id
  const states = {
    ownership: 'verified',
    spf: 'different',
    dkim: 'waiting',
    dmarc: 'verified',
  } as const
  const domain = await aDomainWithRecords(setting, { workspaceId, verified: true, states })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${WIZARD}?id=${domain.id}`)
  await next(page).click()
  await expect(statusOf(page, 'v=DMARC1')).toHaveText('Verified')
  await expect(statusOf(page, 'v=DKIM1')).toHaveText('Pending')
  await expect(statusOf(page, 'v=spf1 ip4')).toHaveText('Failed')
  await expect(page.getByText('Another value stands there.')).toBeVisible()
  await expect(page.getByText('v=spf1 -all').last()).toBeVisible()
  await expect(page.getByText('Change it to the value shown.')).toBeVisible()

  const { body } = await person.call('GET', `/dns-records/dns/${domain.id}`)
  const dkim = body.find(({ purpose }: DnsRecord) => purpose === 'dkim')
  const row = page.getByRole('row').filter({ hasText: 'v=DKIM1' })
  await expect(row.getByText(dkim.value, { exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await row.getByRole('button', { name: 'Copy value' }).click()
  expect(await copied()).toBe(dkim.value)
  await row.getByRole('button', { name: 'Copy host' }).click()
  expect(await copied()).toBe('ms1._domainkey')
  await page.getByRole('radio', { name: 'Full' }).check({ force: true })
  await row.getByRole('button', { name: 'Copy host' }).click()
  expect(await copied()).toBe(dkim.name)
  await row.getByRole('button', { name: 'Show in pieces of 255 characters' }).click()
  await row.getByRole('button', { name: 'Copy value' }).click()
  expect(await copied()).toMatch(/^"v=DKIM1.{248}" ".+"$/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('an id that is not there, and records that cannot be read, have a way on', async ({
  setting,
  person,
}) => {
  const { page } = person
  const foreign = await aDomain(setting, {})
  for (const id of [foreign.id, crypto.randomUUID(), 'nonsense<b>']) {
    await page.goto(`${WIZARD}?id=${encodeURIComponent(id)}`)
    await expect(page.getByText('This domain is not in your workspace')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Steps' })).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Go to Domains' }).click()
  await expect(page).toHaveURL(/\/dashboard\/domains$/)

  const ours = await aDomainWithRecords(setting, { workspaceId: person.workspace.id })
  const mend = await failing(page, 'GET', `/dns-records/ownership/${ours.id}`, {
    statusCode: 403,
    type: 'FORBIDDEN',
  })
  await page.goto(`${WIZARD}?id=${ours.id}`)
  await expect(page.getByText('Error loading the record')).toBeVisible()
  await expect(verify(page)).toBeDisabled()
  await mend()
  const again = page.getByRole('button', { name: 'Try again' })
  // The page reads on by itself as well, and may be first.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 500 })
    await expect(verify(page)).toBeEnabled({ timeout: 500 })
  }).toPass()

  // While DNS is asked, the button says so and takes no second click; a failed call changes nothing.
  const answer = await holding(page, `/dns-records/verify-ownership/${ours.id}`)
  await verify(page).click()
  await expect(page.getByRole('button', { name: 'Verifying...' })).toBeDisabled()
  answer()
  await expect(verify(page)).toBeEnabled()
  const busy = { statusCode: 429, type: 'TOO_MANY_REQUESTS', message: 'Too many requests' } as const
  await failing(page, 'POST', `/dns-records/verify-ownership/${ours.id}`, busy)
  await verify(page).click()
  await expectToast(page, '❌ Error', 'Too many requests')
  await expect(next(page)).toBeDisabled()
})
