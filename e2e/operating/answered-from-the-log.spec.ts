/** "Their invoice to us bounced": the operator answers it by one search, and the customer mends it. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'

test('a bounced invoice is found by one search, and comes in once its address is there', async ({
  operator: { page },
  customer,
  setting,
}) => {
  const domain = await aDomain(setting, { workspaceId: customer.workspace.id, active: true })
  const grace = await aMailbox(setting, { domain, localPart: 'grace' })
  await letRead(setting, grace, customer.user.id)
  const partner = `partner-${crypto.randomUUID().slice(0, 8)}.example`
  const billing = `billing@${partner}`
  const invoices = `invoices@${domain.name}`
  const send = () => {
    const raw = `From: Billing <${billing}>\r\nTo: ${invoices}\r\nSubject: Invoice 17\r\n\r\nPlease pay.\r\n`
    return sendMail(setting.product.smtpPort, { from: billing, to: invoices, raw })
  }
  expect(await send()).toMatch(/^550 /)

  await opened(page, '/operator?tab=mails')
  await page.getByLabel('Search mails by address or domain').fill(partner)
  const refused = page.getByRole('row').filter({ hasText: 'Refused' })
  await expect(refused).toHaveCount(1)
  await expect(refused).toContainText(`${billing} to ${invoices}`)
  await expect(refused).toContainText('550 5.1.1 No such mailbox here')

  await opened(customer.page, `/dashboard/mail-box-settings?mailbox=${grace.id}`)
  const aliases = customer.page.getByRole('region', { name: 'Aliases' })
  await aliases.getByLabel('New alias').fill('invoices')
  await aliases.getByRole('button', { name: 'Add alias' }).click()
  await expectToast(customer.page, 'Alias added', invoices)
  expect(await send()).toMatch(/^250 /)
  await opened(customer.page, `/dashboard/view-mail?mailbox=${grace.id}`)
  await expect(customer.page.getByRole('link', { name: /Invoice 17/ })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Accepted' })).toHaveCount(1)
})
