/** From a name to Finish without a press of Verify: the page leads, the DNS is edited, and the page sees it. */
import { readFile } from 'node:fs/promises'
import { expect, type Setting, test } from '../specification/setting.ts'
import {
  addDomain,
  anEditor,
  continueButton,
  copyRecord,
  type Editor,
  heading,
  letTimePass,
  rowOf,
  statusOf,
} from './dns-editor.ts'

const DOMAIN = 'happy-path.example'

/** A small company as most are: DNS at Cloudflare, mail at Google, a newsletter service in its SPF, a strict DMARC policy. */
const aCompany = (setting: Setting): Editor => {
  const { dns } = setting.product
  dns.zone(DOMAIN)
  const nameServers = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
  for (const host of nameServers) dns.set(host, 'A', ['127.0.0.1'])
  dns.set(DOMAIN, 'NS', nameServers)
  dns.set('_spf.google.com', 'TXT', ['v=spf1 ip4:35.190.247.0/24 ~all'])
  dns.set('servers.mcsv.net', 'TXT', ['v=spf1 ip4:205.201.128.0/20 ~all'])
  const editor = anEditor(setting, DOMAIN)
  const spf = 'v=spf1 include:_spf.google.com include:servers.mcsv.net ~all'
  editor.entries.push(
    { type: 'MX', host: '@', values: ['smtp.google.com'], priority: '1' },
    { type: 'TXT', host: '@', values: [spf] },
    { type: 'TXT', host: '_dmarc', values: ['v=DMARC1; p=reject'] },
  )
  editor.save()
  return editor
}

test('what is there is found and kept, and the records are seen as soon as they are published', async ({
  setting,
  person: { page },
}) => {
  const editor = aCompany(setting)
  await addDomain(page, DOMAIN)
  const form = page.getByRole('region', { name: 'Where the records are entered' })
  await expect(form).toContainText(`The DNS of ${DOMAIN} is at Cloudflare.`)
  await expect(form).toContainText('bob.ns.cloudflare.com')
  await expect(form.getByRole('link', { name: /Open DNS at Cloudflare/ })).toHaveAttribute(
    'href',
    /^https:\/\/dash\.cloudflare\.com\//,
  )
  const found = page.getByRole('region', { name: 'Found in DNS' })
  for (const text of ['Cloudflare', 'Google Workspace', 'Policy: reject'])
    await expect(found).toContainText(text)

  // The first step says the same, and the way back to the record is one click.
  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await expect(page.getByLabel('Enter domain')).toBeDisabled()
  await expect(found).toContainText('Google Workspace')
  await continueButton(page).click()

  const ownership = rowOf(page, 'mailstead-verify=')
  editor.entries.push(await copyRecord(ownership))
  editor.save()
  await letTimePass(setting, page)
  await expect(statusOf(ownership)).toHaveText('Verified')
  await expect(continueButton(page)).toBeFocused()
  await expect(heading(page, 'Verify domain')).toBeVisible()
  await page.keyboard.press('Enter')

  await expect(heading(page, 'Verify DNS')).toBeFocused()
  const [spf, dkim, dmarc] = ['v=spf1', 'v=DKIM1', 'v=DMARC1'].map((text) => rowOf(page, text))
  if (!spf || !dkim || !dmarc) throw new Error('three records')
  await expect(statusOf(dmarc)).toHaveText('Verified')
  await expect(dmarc).toContainText('Your policy (reject) stays as it is')
  await expect(spf).toContainText('Google Workspace')
  await expect(spf).toContainText('Mailchimp')
  const merged = await copyRecord(spf)
  expect(merged.values[0]).toContain('include:_spf.google.com include:servers.mcsv.net')
  editor.entries.splice(1, 1, merged, await copyRecord(dkim))
  editor.save()
  const before = await page.evaluate(() => scrollY)
  await letTimePass(setting, page)
  for (const row of [spf, dkim]) await expect(statusOf(row)).toHaveText('Verified')
  await expect(
    dkim.getByRole('button', { name: 'At its name servers: Yes Seen by others: Yes' }),
  ).toBeVisible()
  await expect(continueButton(page)).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(before)

  // Mail cannot move by accident: the MX record is not shown yet.
  const receiving = page.getByRole('region', { name: 'Receiving mail' })
  await expect(receiving).toContainText('goes to Google Workspace, and stays there until you move')
  await expect(receiving.getByRole('table')).toHaveCount(0)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Zone file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`${DOMAIN}.zone`)
  expect(await readFile(await file.path(), 'utf8')).toContain('_domainkey')

  await continueButton(page).click()
  await expect(heading(page, 'Domain Verified')).toBeFocused()
})
