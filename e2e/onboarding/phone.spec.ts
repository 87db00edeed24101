/** The wizard on a phone, and a record on its way through the servers: everything fits, nothing jumps, nothing flickers. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../specification/setting.ts'
import {
  addDomain,
  anEditor,
  continueButton,
  copyRecord,
  heading,
  letTimePass,
  rowOf,
  statusOf,
} from './dns-editor.ts'

const DOMAIN = 'pocket.example'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

const expectFits = async (page: Page): Promise<void> =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

/** What one came for, name and value with their buttons, is there without scrolling; what few come for is not. */
const expectFirst = async (page: Page, record: Locator): Promise<void> => {
  await page.evaluate(() => scrollTo(0, 0))
  for (const name of ['Copy host', 'Copy value'])
    await expect
      .poll(() => record.getByRole('button', { name }).evaluate(isUncovered), name)
      .toBe(true)
  await expect(page.getByRole('button', { name: 'Delete domain' })).not.toBeInViewport()
}

/** Runs in the page: nothing lies on it, as the bar at the bottom would. */
const isUncovered = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

test('a record is published, then seen, with the seconds to wait, and the page stays where it is', async ({
  setting,
  person: { page },
}) => {
  const { dns } = setting.product
  dns.zone(DOMAIN)
  const editor = anEditor(setting, DOMAIN)
  await addDomain(page, DOMAIN)
  const ownership = rowOf(page, 'mailstead-verify=')
  await expectFirst(page, ownership)
  const proof = await copyRecord(ownership)
  editor.entries.push(proof)
  editor.save()
  // The resolver had been asked before, and remembers that there was nothing.
  const name = `${proof.host}.${DOMAIN}`
  dns.setCached(name, 'TXT', [])
  const [row] = await ownership.elementHandles()
  await ownership.getByText('Found now').scrollIntoViewIfNeeded()
  const place = async () => (await ownership.getByText('Found now').boundingBox())?.y ?? 0
  const before = await place()

  await letTimePass(setting, page)
  await expect(statusOf(ownership)).toHaveText('Verified')
  const watch = ownership.getByRole('button', { name: 'At its name servers: Yes' })
  await expect(watch).toHaveText(/Seen by others:\s*(Within \d s|Any moment)$/)
  await expect(watch).toHaveAttribute('aria-expanded', 'true')
  await expect(ownership.getByRole('listitem').filter({ hasText: `ns1.${DOMAIN}` })).toContainText(
    'The right record',
  )
  await expect(ownership.getByRole('listitem').filter({ hasText: dns.address })).toContainText(
    /Keeps this answer for up to \d s|May look again at any moment/,
  )
  await expect(continueButton(page)).toBeFocused()
  await expect(continueButton(page)).toBeInViewport()
  await expect(heading(page, 'Verify domain')).toBeAttached()
  // What is looked at stays where it is, also when a text above it becomes shorter.
  expect(Math.abs((await place()) - before)).toBeLessThan(2)
  // The very row, filled with news: one that is drawn anew would flicker and lose what is selected in it.
  expect(await row?.evaluate((element) => element.isConnected)).toBe(true)
  await expectFits(page)

  await watch.tap()
  await expect(watch).toHaveAttribute('aria-expanded', 'false')
  await continueButton(page).tap()
  await expect(heading(page, 'Verify DNS')).toBeFocused()
  await expect(page.getByRole('table', { name: 'Records for receiving mail' })).toBeVisible()
  await expectFirst(page, rowOf(page, 'v=spf1'))
  await expectFits(page)
  const dkim = rowOf(page, 'v=DKIM1')
  await dkim.getByRole('button', { name: 'Show in pieces of 255 characters' }).tap()
  await dkim.getByRole('button', { name: 'Copy string 2' }).tap()
  const second = await page.evaluate(() => navigator.clipboard.readText())
  const [whole = ''] = (await copyRecord(dkim)).values
  expect(whole.endsWith(`"${second}"`)).toBe(true)
  await expectFits(page)
})
