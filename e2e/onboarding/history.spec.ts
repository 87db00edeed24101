/** The history of DNS answers, for a user whose domain worked yesterday and is inactive now. */
import { expect, test } from '../specification/setting.ts'
import { letTimePass } from './dns-editor.ts'

const DOMAIN = 'history.example'

test('the page follows a record that changes, and tells what it said before', async ({
  setting,
  person: { page, call },
}) => {
  const { dns } = setting.product
  dns.zone(DOMAIN)
  const { _id: id } = (await call('POST', '/domains', { name: DOMAIN })).body
  const { body: ownership } = await call('GET', `/dns-records/ownership/${id}`)
  dns.set(ownership.name, 'TXT', [ownership.value])
  await call('POST', `/dns-records/verify-ownership/${id}`)
  dns.set(`_dmarc.${DOMAIN}`, 'TXT', ['v=DMARC1; p=none'])
  await call('POST', `/dns-records/verify-dns/${id}`)

  await page.goto(`/dashboard/add-domain?id=${id}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  const history = page.getByRole('region', { name: 'History', exact: true })
  await history.getByRole('button', { name: /^Last changed/ }).click()
  const changes = history.getByRole('listitem').filter({ hasText: /^DMARC/ })
  await expect(changes).toHaveCount(1)
  await expect(changes).toContainText('Pending to Verified')

  dns.set(`_dmarc.${DOMAIN}`, 'TXT', ['v=DMARC1; p=everything'])
  await letTimePass(setting, page)
  await expect(changes).toHaveCount(2)
  await expect(changes.first()).toContainText('Verified to Failed')
  await expect(changes.first()).toContainText('Before')
  await expect(changes.first()).toContainText('v=DMARC1; p=everything')

  // The loss shows on the present page, without a redirect.
  dns.remove(ownership.name, 'TXT')
  await letTimePass(setting, page)
  await expect(
    page.getByRole('region', { name: `The ownership record of ${DOMAIN} is missing` }),
  ).toBeVisible()
  await expect(page.locator('[aria-current="step"]')).toContainText('Verify DNS')
  await expect(history).toBeVisible()
  await page.reload()
  await expect(page.locator('[aria-current="step"]')).toContainText('Verify domain')
})
