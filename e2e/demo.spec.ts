/** A visitor tries the demo: the sample figures on the screens, and a domain made to work with Sandbox DNS. */
import { expect, type Page } from '@playwright/test'
import { type RunningDemo, runDemo } from '../demo/run-demo.ts'
import { verifyRecords } from './browsers.ts'
import { axeFaults } from './screens/faults/axe-faults.ts'
import { targetFaults, widthFaults } from './screens/faults/width-faults.ts'
import { test } from './test.ts'

const DOMAIN = 'my-company.example'

let demo: RunningDemo
test.beforeAll(async () => {
  demo = await runDemo()
})
test.afterAll(async () => {
  demo.signal('SIGINT')
  expect(await demo.ended, demo.output()).toBe(0)
})

test('a visitor sees the sample workspace and makes a domain work [9.24]', async ({ page }) => {
  await signIn(page)
  await seeFigures(page)
  await seeCompany(page)
  await makeDomainWork(page)
  await readNewsletter(page)
  await tryTheApi(page)
})

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/login`)
  await page.getByLabel('Email').fill(demo.email)
  await page.getByLabel('Password', { exact: true }).fill(demo.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(`${demo.url}/dashboard`)
}

const seeFigures = async (page: Page): Promise<void> => {
  const main = page.getByRole('main')
  for (const words of [/Total Domains\s*42/, /28\s*Verified/, /8\s*Pending/, /6\s*Failed/])
    await expect(main).toContainText(words)
  for (const words of [/64\s*Active/, /36\s*Suspended/, '65% of 75GB used', '+12 from yesterday'])
    await expect(main).toContainText(words)
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  for (const words of [/Total Domains\s*42/, /Active Domains\s*28/, /Pending Domains\s*14/])
    await expect(main).toContainText(words)
  await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
  for (const words of [/Active Domains\s*13/, /Mail slots\s*34/, /Active Mailboxes\s*64/])
    await expect(main).toContainText(words)
  await expect(page.getByRole('button', { name: 'Pay Now ($12)' })).toBeVisible()
}

const seeCompany = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/dashboard/settings`)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Fernhill Studio')
  await expect(page.getByLabel('Country')).toHaveText('UK')
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toBeVisible()
}

const makeDomainWork = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/dashboard/add-domain`)
  await page.getByLabel('Enter domain').fill(DOMAIN)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/add-domain\?id=/)
  await publish(page)
  await expect(page).toHaveURL(/add-domain\?id=/)
  const next = page.getByRole('button', { name: 'Continue' })
  for (const step of ['Verify domain', 'Verify DNS']) {
    await expect(page.getByRole('heading', { name: step })).toBeVisible()
    await verifyRecords(page)
    await next.click()
  }
  await expect(page.getByText('Domain Verified')).toBeVisible()
}

const publish = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Sandbox DNS' }).click()
  const asked = page.getByRole('list', { name: 'Records that are asked for' })
  await expect(asked.getByText('Not published')).toHaveCount(5)
  await page.getByRole('button', { name: 'Publish all as asked' }).click()
  await expect(asked.getByText('Published', { exact: true })).toHaveCount(5)
  await page.getByRole('link', { name: 'Back to the domain' }).click()
}

const readNewsletter = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/dashboard/view-mail`)
  await page.getByText('The Tide Table No. 44').first().click()
  await expect(page.getByText('Verified sender')).toBeVisible()
  await expect(page.frameLocator('iframe').getByText('Twelve blocks, one wave')).toBeVisible()
}

const tryTheApi = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/dashboard/developers?tab=webhooks`)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByRole('dialog')).toContainText('In this demo http is taken too')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByLabel('Search operations').fill('addDomain')
  await page.getByRole('link', { name: 'POST addDomain', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Try it in the demo' })).toBeVisible()
  await page.getByLabel('Body').fill('{ "name": "tried.example" }')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Status 201')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What came back' })).toContainText(
    '"tried.example"',
  )
}

const mistakes = [
  ['SPF, Two SPF records', `${DOMAIN} has 2 SPF records, and receivers accept only one.`],
  ['DKIM, Cut at 255 characters', 'is cut off'],
  ['DMARC, A policy that is none', "'p=nothing' is no policy, which is none, quarantine or reject"],
] as const

test('three mistakes are made, named by the wizard, and undone', async ({ page }) => {
  await signIn(page)
  await page.goto(demo.sandbox)
  await page.getByLabel('Search zones').fill(DOMAIN)
  await page.getByRole('link', { name: DOMAIN }).click()
  for (const [mistake] of mistakes) {
    await page.getByRole('button', { name: `Make: ${mistake}` }).press('Enter')
    await expect(page.getByRole('button', { name: `Undo: ${mistake}` })).toBeFocused()
  }
  await page.getByRole('button', { name: 'Check now' }).click()
  const asked = page.getByRole('list', { name: 'Records that are asked for' })
  await expect(asked.getByText('Failed')).toHaveCount(3)

  await page.getByRole('link', { name: 'Back to the domain' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Verify DNS' })).toBeVisible()
  for (const [, sentence] of mistakes)
    await expect(page.getByText(sentence, { exact: false }).first()).toBeVisible()

  await page.getByRole('link', { name: 'Sandbox DNS' }).click()
  for (const [mistake] of mistakes) {
    await page.getByRole('button', { name: `Undo: ${mistake}` }).press('Enter')
    await expect(page.getByRole('button', { name: `Make: ${mistake}` })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Back to the domain' }).click()
  // At the step that was left.
  await expect(page.getByRole('heading', { name: 'Verify DNS' })).toBeVisible()
  await verifyRecords(page)
})

test('records are edited by hand, with words for what is typed wrong, on a phone and in the dark', async ({
  browser,
}) => {
  const context = await browser.newContext({
    ...{ bypassCSP: true, reducedMotion: 'reduce', colorScheme: 'dark' },
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await signIn(page)
  await page.goto(demo.sandbox)
  await page.getByRole('link', { name: 'lantern-street.example' }).click()
  await expect(page.getByText('No record yet')).toBeVisible()
  expect.soft(await axeFaults(page, 'all'), 'the zone').toEqual([])
  expect.soft(await widthFaults(page)).toEqual([])
  expect.soft(await targetFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Add record' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'MX' }).click()
  await dialog.getByLabel('Priority').fill('70000')
  await dialog.getByLabel('Host', { exact: true }).fill('lantern-street.example')
  await expect(dialog).toContainText('at lantern-street.example.lantern-street.example.')
  await dialog.getByLabel('Value').fill('not a host')
  await dialog.getByRole('button', { name: 'Add record' }).click()
  for (const words of ['A number from 0 to 65535', 'An MX record names a mail server'])
    await expect(dialog.getByText(words)).toBeVisible()
  expect.soft(await axeFaults(page, 'all'), 'the dialog').toEqual([])
  expect.soft(await widthFaults(page)).toEqual([])
  await dialog.getByLabel('Priority').fill('5')
  await dialog.getByLabel('Host', { exact: true }).fill('@')
  await dialog.getByLabel('Value').fill('mx.lantern-street.example')
  await dialog.getByLabel('Value').press('Tab')
  await dialog.getByRole('button', { name: 'Add record' }).click()
  await expect(dialog).toBeHidden()
  const records = page.getByRole('table', { name: 'Records of the zone' })
  await expect(records).toContainText('5 mx.lantern-street.example')
  await page.getByRole('button', { name: 'Delete MX @' }).click()
  await expect(page.getByText('No record yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(records).toContainText('5 mx.lantern-street.example')
  await context.close()
})
