/** A domain that another workspace holds: claimed, seen from both sides, withdrawn, claimed again and released. */
import type { DnsRecord } from '#contract/domains.ts'
import { verifyRecords } from '../browsers.ts'
import {
  aPerson,
  expect,
  opened,
  type Person,
  type Setting,
  test,
} from '../specification/setting.ts'
import { verifyButton } from './dns-editor.ts'

const addedBy = async (person: Person, name: string) => {
  const id: string = (await person.call('POST', '/domains', { name })).body._id
  const record: DnsRecord = (await person.call('GET', `/dns-records/ownership/${id}`)).body
  return { id, record, page: `/dashboard/add-domain?id=${id}` }
}

const publish = ({ product }: Setting, ...records: DnsRecord[]) => {
  for (const { name } of records)
    product.dns.set(
      name,
      'TXT',
      records.map(({ value }) => value),
    )
}

test('a claim is told to the holder, can be withdrawn, and ends when the holder releases the domain', async ({
  setting,
  person: ada,
  browser,
}) => {
  const context = await browser.newContext()
  const bob = await aPerson(setting, context, await context.newPage())
  const name = `claim-${crypto.randomUUID().slice(0, 8)}.example`
  setting.product.dns.zone(name)
  const held = await addedBy(ada, name)
  publish(setting, held.record)
  await ada.call('POST', `/dns-records/verify-ownership/${held.id}`)
  const asked = await addedBy(bob, name)
  publish(setting, held.record, asked.record)

  const claim = bob.page.getByRole('region', { name: `You have claimed ${name}` })
  await test.step('whoever asks learns what happens when, and which record keeps the domain away', async () => {
    await opened(bob.page, `${setting.product.url}${asked.page}`)
    await verifyButton(bob.page).click()
    await expect(claim).toContainText('your claim ends on')
    await expect(claim.getByLabel('Record of the other workspace')).toContainText(held.record.value)
    publish(setting, asked.record)
    await verifyButton(bob.page).click()
    await expect(claim).toContainText(/The domain becomes yours on .+ \(in 7 days\), unless/)
  })

  await test.step('who holds it is told by mail, in the list and on its page', async () => {
    const { email } = await setting.product.mailTo(ada.email)
    expect(email.subject).toBe(`Another workspace has claimed ${name}`)
    await opened(ada.page, '/dashboard/domains')
    await ada.page
      .getByRole('region', { name: 'Ownership' })
      .getByRole('link', { name: 'Claimed by another workspace, and goes there on' })
      .click()
    const notice = ada.page.getByRole('region', { name: `Another workspace has claimed ${name}` })
    await expect(notice.getByLabel('Your ownership record')).toContainText(held.record.value)
    await expect(notice).toContainText('Unless yours is back by then')
  })

  await test.step('a claim can be withdrawn, and made again', async () => {
    await claim.getByRole('button', { name: 'Withdraw claim' }).click()
    const ended = bob.page.getByRole('region', { name: `Your claim on ${name} has ended` })
    await expect(ended).toContainText('you withdrew it')
    await expect(ada.page.getByRole('button', { name: 'Release it now' })).toBeHidden()
    await verifyButton(bob.page).click()
    await expect(claim).toBeVisible()
  })

  await test.step('released, it leaves the one workspace and is proven in the other', async () => {
    await ada.page.getByRole('button', { name: 'Release it now' }).click()
    await ada.page.getByLabel(`Type ${name} to confirm`).fill(name)
    await ada.page.getByRole('button', { name: 'Release domain' }).click()
    await expect(ada.page).toHaveURL(/dashboard\/domains$/)
    await verifyRecords(bob.page)
    await expect(claim).toBeHidden()
  })
  await context.close()
})
