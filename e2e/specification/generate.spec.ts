/** The auto-generate dialog: domains and how many, names, signature. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, type Domain } from '#test-world/builders.ts'
import { expect, expectToast, failing, type Person, type Setting, test } from './setting.ts'

// Without motion nothing is waited for.
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Auto generate mailboxes' })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const step = (page: Page) => dialog(page).getByRole('button').and(page.locator('[aria-current]'))

const domainsOf = async (setting: Setting, { workspace }: Person, count: number) => {
  const made: Domain[] = []
  for (let at = 0; at < count; at += 1)
    made.push(await aDomain(setting, { workspaceId: workspace.id, active: true }))
  return made.map(({ name }) => name)
}

const open = async (page: Page) => {
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Auto generate' }).click()
  await expect(step(page)).toHaveText('1Domains')
}

const choose = async (page: Page, label: string, option: string) => {
  await field(page, label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const chooseDomains = async (page: Page, names: string[]) => {
  await field(page, 'Domains').click()
  for (const name of names) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}

const expectMessage = async (page: Page, label: string, message: string) => {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, label)).toHaveAccessibleDescription(new RegExp(escaped(message)))
}
const escaped = (text: string) => text.replace(/[()]/g, '\\$&')

test('the domain list toggles, counts, scrolls at 243 px and closes [2.68 2.69 3.14 4.45 4.46 9.22]', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  await open(page)
  await expect(dialog(page).getByText('No domain is active yet.')).toBeVisible()
  await expect(dialog(page).getByRole('link', { name: 'Add and verify one' })).toBeVisible()
  const names = await domainsOf(setting, person, 12)
  const waiting = await aDomain(setting, { workspaceId: workspace.id, verified: true })
  const lost = await aDomain(setting, { workspaceId: workspace.id, isActive: true })
  const [first = '', second = ''] = names

  await open(page)
  await expect(field(page, 'Domains')).toHaveText('Select domains...')
  const list = page.getByRole('listbox', { name: 'Domains' })
  await expect(list).toHaveCount(0)
  await field(page, 'Domains').click()
  await expect(list.getByRole('option')).toHaveCount(12)
  await expect(list.getByRole('option', { name: waiting.name })).toHaveCount(0)
  await expect(list.getByRole('option', { name: lost.name })).toHaveCount(0)
  expect((await list.boundingBox())?.height).toBe(243)

  // The search has the focus.
  const search = page.getByRole('combobox', { name: 'Search domains' })
  await expect(search).toBeFocused()
  await page.keyboard.type('nowhere')
  await expect(page.getByText('Nothing found.', { exact: true })).toBeVisible()
  await expect(list.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(list.getByRole('option')).toHaveCount(12)

  const option = (name: string) => list.getByRole('option', { name })
  await option(first).click()
  await expect(option(first)).toHaveAttribute('aria-selected', 'true')
  await expect(field(page, 'Domains')).toHaveText('Selected: 1')
  await option(second).click()
  await expect(field(page, 'Domains')).toHaveText('Selected: 2')
  await option(first).click()
  await expect(option(first)).toHaveAttribute('aria-selected', 'false')
  await expect(field(page, 'Domains')).toHaveText('Selected: 1')

  await page.mouse.click(20, 20)
  await expect(list).toHaveCount(0)
  await expect(dialog(page)).toBeVisible()
  await field(page, 'Domains').press('Enter')
  await expect(list).toBeVisible()
  // By keyboard: search, walk, choose.
  await expect(search).toBeFocused()
  await page.keyboard.type(first)
  await expect(list.getByRole('option')).toHaveCount(1)
  expect((await list.boundingBox())?.height).toBeLessThan(100)
  await page.keyboard.press('Enter')
  await expect(field(page, 'Domains')).toHaveText('Selected: 2')
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(field(page, 'Domains')).toBeFocused()
  await dialog(page)
    .getByRole('button', { name: `Remove ${first}` })
    .click()
  await dialog(page)
    .getByRole('button', { name: `Remove ${second}` })
    .click()
  await expect(field(page, 'Domains')).toHaveText('Select domains...')
})

test('forward validates each step, back keeps what was entered [4.36 4.37 4.38 5.17 5.18 5.19 5.20 9.11 9.13]', async ({
  setting,
  person,
}) => {
  const { page } = person
  const [domain = ''] = await domainsOf(setting, person, 1)
  await open(page)
  await button(page, 'Next').click()
  await expect(step(page)).toHaveText('1Domains')
  await expectMessage(page, 'Domains', 'At least one domain must be selected')
  await expectMessage(page, 'Mailboxes per domain', 'At least one mailbox must be generated')
  await chooseDomains(page, [domain])
  await dialog(page).getByRole('button', { name: 'Signature' }).click()
  await expect(step(page)).toHaveText('1Domains')
  await expect(dialog(page).getByText('At least one domain must be selected')).toHaveCount(0)

  await expect(dialog(page).getByText('Max5', { exact: true })).toBeVisible()
  await field(page, 'Mailboxes per domain').click()
  await expect(page.getByRole('option')).toHaveText(['1', '2', '3', '4', '5'])
  await page.getByRole('option', { name: '2' }).click()
  await button(page, 'Next').click()
  await expect(step(page)).toHaveText('2Names')
  await button(page, 'Next').click()
  await expect(step(page)).toHaveText('2Names')
  await expectMessage(page, 'Name type', 'At least one name must be selected')

  await field(page, 'Name type').click()
  await expect(page.getByRole('option')).toHaveText([
    'Predefined (name)',
    'Random (male)',
    'Random (female)',
    'Random (Male & Female)',
  ])
  await page.getByRole('option', { name: 'Predefined (name)' }).click()
  const inputs = dialog(page).getByRole('textbox')
  await expect(inputs).toHaveCount(4)
  await button(page, 'Next').click()
  const long = 'ö'.repeat(10_000)
  for (const [part, message] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
  ] as const)
    for (const number of [1, 2]) {
      const label = `${part} ${number}`
      await expectMessage(page, label, message)
      await field(page, label).fill(' Adas ')
      await expectMessage(page, label, message)
      await field(page, label).fill(long)
      await expectMessage(page, label, 'At most 100 characters')
      await expect(field(page, label)).toHaveValue(long)
      await field(page, label).fill(`${part.split(' ')[0]}ly ${number}`)
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid', 'true')
    }
  await field(page, 'Last name 2').fill('Hopp')
  await button(page, 'Next').click()
  await expect(step(page)).toHaveText('2Names')
  await field(page, 'Last name 2').fill('Hopper')

  await button(page, 'Back').click()
  await expect(field(page, 'Domains')).toHaveText('Selected: 1')
  await choose(page, 'Mailboxes per domain', '3')
  await button(page, 'Next').click()
  await expect(field(page, 'First name 1')).toHaveValue('Firstly 1')
  await expect(field(page, 'Last name 2')).toHaveValue('Hopper')
  await expect(inputs).toHaveCount(6)
  await button(page, 'Back').click()
  await choose(page, 'Mailboxes per domain', '2')
  await button(page, 'Next').click()
  await expect(inputs).toHaveCount(4)
  await button(page, 'Next').click()
  await expect(step(page)).toHaveText('3Signature')
  await expect(button(page, 'Generate')).toBeEnabled()
  await dialog(page).getByRole('button', { name: 'Domains' }).click()
  await dialog(page)
    .getByRole('button', { name: `Remove ${domain}` })
    .click()
  // Not through the step that is wrong, and Generate is not offered.
  await dialog(page).getByRole('button', { name: 'Signature' }).click()
  await expect(step(page)).toHaveText('1Domains')
  await expect(button(page, 'Generate')).toHaveCount(0)

  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(field(page, 'Mailboxes per domain')).toHaveText('2')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog(page)).toHaveCount(0)
})

test('random names come after 500 ms, as many as mailboxes [5.21 9.14]', async ({
  setting,
  person,
}) => {
  const { page } = person
  const [domain = ''] = await domainsOf(setting, person, 1)
  await open(page)
  await chooseDomains(page, [domain])
  await choose(page, 'Mailboxes per domain', '5')
  await button(page, 'Next').click()
  await field(page, 'Name type').click()
  const option = page.getByRole('option', { name: 'Random (male)', exact: true })
  await expect(option).toBeVisible()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await option.click()
  await page.clock.runFor(499)
  await expect(dialog(page).getByText('Picking names...')).toBeAttached()
  await expect(field(page, 'First name 1')).toHaveCount(0)
  await button(page, 'Next').click()
  await expect(dialog(page).getByText('You must provide 5 name(s)')).toBeVisible()
  await expect(step(page)).toHaveText('2Names')
  await page.clock.runFor(1)
  await expect(field(page, 'First name 1')).toBeVisible()
  await expect(dialog(page).getByText('You must provide 5 name(s)')).toHaveCount(0)
  await button(page, 'Shuffle').click()
  await button(page, 'Next').click()
  await expect(dialog(page).getByText('You must provide 5 name(s)')).toBeVisible()
  await page.clock.runFor(500)
  await expect(field(page, 'First name 1')).toBeVisible()
  await expect(dialog(page).getByText('You must provide 5 name(s)')).toHaveCount(0)
  await page.clock.resume()

  const values = async () => {
    const inputs = await dialog(page).getByRole('textbox').all()
    return Promise.all(inputs.map((input) => input.inputValue()))
  }
  const male = await values()
  expect(male).toHaveLength(10)
  for (const name of male) expect(name.length).toBeGreaterThanOrEqual(5)
  await choose(page, 'Name type', 'Random (female)')
  await expect(field(page, 'First name 1')).toBeVisible()
  const female = await values()
  const firstNames = (names: string[]) => names.filter((_, index) => index % 2 === 0)
  expect(firstNames(female).filter((name) => firstNames(male).includes(name))).toEqual([])
})

test('names by domains are made in one go, and stand at the front [1.6 4.38 4.39 5.22 9.15]', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  const [one = '', two = ''] = await domainsOf(setting, person, 2)
  const domain = await setting.db
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', one)
    .executeTakeFirstOrThrow()
  await aMailbox(setting, { domain, localPart: 'grace.hopper' })
  await open(page)
  await chooseDomains(page, [one, two])
  await choose(page, 'Mailboxes per domain', '2')
  await button(page, 'Next').click()
  await choose(page, 'Name type', 'Predefined (name)')
  await field(page, 'First name 1').fill('GRACE')
  await field(page, 'Last name 1').fill('Hopper')
  await field(page, 'First name 2').fill('Ægir')
  await field(page, 'First name 2').fill('Zoëlle')
  await field(page, 'Last name 2').fill('Ødegård')
  const start = one < two ? one : two
  await expect(dialog(page).getByText(/^grace\.hopper@/)).toBeVisible()
  expect([one, two]).toContain(start)
  await expect(dialog(page).getByText(/^zoelle\.odegard@/)).toBeVisible()
  await button(page, 'Next').click()

  // Without a signature; a server in trouble loses nothing.
  const succeed = await failing(page, 'POST', '/mailboxes/generate', { statusCode: 500 })
  await button(page, 'Generate').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Something went wrong')
  await expect(step(page)).toHaveText('3Signature')
  await succeed()
  await button(page, 'Generate').dblclick()
  await expectToast(page, '4 mailboxes created', 'They become active when they are paid for.')
  await expect(dialog(page)).toHaveCount(0)
  const next = page.getByRole('region', { name: 'Next step' })
  await expect(next.getByRole('heading')).toHaveText('Next: pay, then give people access')
  await expect(next).toContainText('The 4 new mailboxes are not active yet.')

  const made = [
    `grace.hopper2@${one}`,
    `zoelle.odegard@${one}`,
    `grace.hopper@${two}`,
    `zoelle.odegard@${two}`,
  ]
  const shown = page.getByRole('row').getByRole('link').filter({ hasText: '@' })
  await expect(shown).toHaveText([...made, `grace.hopper@${one}`])
  const { items } = (await call('GET', '/mailboxes')).body as { items: Record<string, unknown>[] }
  expect(items[0]).toMatchObject({ fullName: 'GRACE Hopper', signature: '', status: 'inactive' })

  await page.getByRole('button', { name: 'Auto generate' }).click()
  await expect(field(page, 'Domains')).toHaveText('Select domains...')
  await expect(field(page, 'Mailboxes per domain')).toHaveText('Select a number')
})

test('a name without Latin letters, and a domain that is lost, are said at their step [4.38]', async ({
  setting,
  person,
}) => {
  const { page } = person
  const [domain = ''] = await domainsOf(setting, person, 1)
  await open(page)
  await chooseDomains(page, [domain])
  await choose(page, 'Mailboxes per domain', '1')
  await button(page, 'Next').click()
  await choose(page, 'Name type', 'Predefined (name)')
  await field(page, 'First name 1').fill('Александр')
  await field(page, 'Last name 1').fill('Пушкин')
  await button(page, 'Next').click()
  await expect(step(page)).toHaveText('2Names')
  await expectMessage(page, 'First name 1', 'An address needs letters from a to z or digits')
  await expect(field(page, 'First name 1')).toHaveValue('Александр')
  await field(page, 'First name 1').fill('Alexander')
  await button(page, 'Next').click()

  await setting.db
    .updateTable('domains')
    .set({ isActive: false })
    .where('name', '=', domain)
    .execute()
  await button(page, 'Generate').click()
  await expect(step(page)).toHaveText('1Domains')
  await expectMessage(page, 'Domains', `${domain} is not active yet`)
  await expect(field(page, 'Mailboxes per domain')).toHaveText('1')
})
