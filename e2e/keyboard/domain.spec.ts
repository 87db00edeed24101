/** By keyboard alone: I add a domain and prove it. */
import type { DnsRecord } from '#contract/domains.ts'
import { expect, opened, type Setting, test } from '../specification/setting.ts'
import { expectAt, expectHeading, press, seenFocus, tabTo, typeInto } from './keys.ts'

/** A key goes up later than it goes down; a group of radios looks whether an arrow is still down. */
const AS_A_FINGER = { delay: 50 }

const publish = ({ product }: Setting, domain: string, records: readonly DnsRecord[]): void => {
  product.dns.zone(domain)
  for (const { type, name, value, priority } of records)
    if (type === 'TXT') product.dns.set(name, type, [value.match(/.{1,255}/gs) ?? []])
    else if (type === 'MX') product.dns.set(name, type, [`${priority} ${value}`])
}

test('I add a domain with a slip, verify it in both steps, and finish', async ({
  setting,
  person: { page, call },
}) => {
  const name = `keys-${crypto.randomUUID().slice(0, 8)}.example`
  await opened(page, '/dashboard')
  await press(page, 'link', 'Domains')
  await expect(page).toHaveURL('/dashboard/domains')
  await expectHeading(page, 'Domains')

  // The dialog opens with the first choice, and gives the focus back.
  await press(page, 'button', 'Add Domain', { within: 1 })
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await expectAt(page, 'radio', 'New Register Domain')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expectAt(page, 'button', 'Add Domain')
  await page.keyboard.press('Enter')
  await expectAt(page, 'radio', 'New Register Domain')
  await page.keyboard.press('ArrowDown', AS_A_FINGER)
  await expectAt(page, 'radio', 'Pre-Register Domain')
  await expect(dialog.getByRole('radio', { name: 'Pre-Register Domain' })).toBeChecked()
  await press(page, 'button', 'Continue', { within: 2 })
  await expect(page).toHaveURL('/dashboard/add-domain')
  await expectHeading(page, 'Add Domain')

  // The error of a wrong name shows at the field, which keeps the focus.
  await typeInto(page, 'Enter domain', 'keys_example', { within: 5 })
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Enter domain' })
  await expect(field).toHaveAccessibleDescription(/Invalid domain format/)
  await expectAt(page, 'textbox', 'Enter domain')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/add-domain\?id=/)
  const step = (title: string) => page.getByRole('heading', { name: title, exact: true })
  await expect(step('Verify domain')).toBeFocused()
  const id = new URL(page.url()).searchParams.get('id')

  // How hosts are written is chosen by arrow; the values can be copied on the way.
  await expect(page.getByRole('table')).toContainText('mailstead-verify=')
  await tabTo(page, 'radio', 'Short', { within: 1 })
  await page.keyboard.press('ArrowRight')
  await expectAt(page, 'radio', 'Full')
  await expect(page.getByRole('cell', { name: `_mailstead.${name}` })).toBeVisible()
  await tabTo(page, 'button', 'Copy value', { within: 4 })

  // Nothing is published yet: the button is still there to be pressed again.
  await press(page, 'button', 'Verify', { within: 4 })
  await expect(page.getByRole('button', { name: 'Verify', exact: true })).toBeEnabled()
  await expectAt(page, 'button', 'Verify')
  publish(setting, name, [(await call('GET', `/dns-records/ownership/${id}`)).body])
  await page.keyboard.press('Enter')
  await expectAt(page, 'button', 'Continue')
  await page.keyboard.press('Enter')

  await expect(step('Verify DNS')).toBeFocused()
  await expect(page.getByRole('table', { name: 'DNS records', exact: true })).toContainText('DKIM1')
  publish(setting, name, (await call('GET', `/dns-records/dns/${id}`)).body)
  await press(page, 'button', 'Verify', { within: 40 })
  await expectAt(page, 'button', 'Continue')
  await page.keyboard.press('Enter')
  await expect(step('Domain Verified')).toBeFocused()
  await press(page, 'button', 'Finish', { within: 6 })
  await expect(page).toHaveURL('/dashboard/domains')
  await expectHeading(page, 'Domains')
  await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeVisible()
  await page.keyboard.press('Tab')
  await seenFocus(page)
  await tabTo(page, 'button', `Actions for ${name}`)
})
