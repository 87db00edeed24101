/** Somebody tries the demo: the sample figures on the screens, and a domain made to work with Sandbox DNS. */
import { expect, type Page, test } from '@playwright/test'
import { type RunningDemo, runDemo } from '../demo/run-demo.ts'

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
  await makeDomainWork(page)
  await readNewsletter(page)
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

const makeDomainWork = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/dashboard/add-domain`)
  await page.getByLabel('Enter domain').fill(DOMAIN)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/add-domain\?id=/)
  await publish(page)
  const next = page.getByRole('button', { name: 'Continue' })
  for (const step of ['Verify domain', 'Verify DNS']) {
    await expect(page.getByRole('heading', { name: step })).toBeVisible()
    // When the records were seen by themselves meanwhile, there is nothing left to press.
    const verify = page.getByRole('button', { name: 'Verify', exact: true })
    await verify.click({ timeout: 5_000 }).catch(() => {})
    await expect(next).toBeEnabled()
    await next.click()
  }
  await expect(page.getByText('Domain Verified')).toBeVisible()
}

/** In another tab, as people do. */
const publish = async (page: Page): Promise<void> => {
  const editor = await page.context().newPage()
  await editor.goto(demo.sandbox)
  await editor.getByRole('link', { name: DOMAIN }).click()
  await editor.getByRole('button', { name: 'Publish all for this domain' }).click()
  await expect(editor.getByText('Published', { exact: true })).toHaveCount(5)
  await editor.close()
}

const readNewsletter = async (page: Page): Promise<void> => {
  await page.goto(`${demo.url}/dashboard/view-mail`)
  await page.getByText('The Tide Table No. 44').first().click()
  await expect(page.getByText('Verified sender')).toBeVisible()
  await expect(page.frameLocator('iframe').getByText('Twelve blocks, one wave')).toBeVisible()
}
