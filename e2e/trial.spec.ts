/** An installation that others cannot reach says that it is a trial, and offers nothing to publish. */
import { trialSentence } from '#contract/installation.ts'
import { withInstallation } from './specification/auth-parts.ts'
import { aDomainWithRecords } from './specification/domain-rows.ts'
import { expect, opened, test } from './specification/setting.ts'

const SETTINGS = ['PUBLIC_URL', 'MAIL_HOST'] as const

test('every page says that it is a trial, and the records wait for public names', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const name = `trial-${crypto.randomUUID().slice(0, 8)}.example`
  const domain = await aDomainWithRecords(setting, {
    ...{ name, workspaceId: workspace.id, verified: true, states: { ownership: 'verified' } },
  })
  await withInstallation(page, { trial: [...SETTINGS], hidesRecords: true })
  const message = trialSentence(SETTINGS)
  // What is known is not asked: a refusal would be an error in the console of the browser.
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/dns-records/dns/')) asked.push(request.url())
  })
  const banner = page.getByRole('note').filter({ hasText: 'This is a trial on your own computer' })
  for (const path of ['/dashboard', '/dashboard/mailboxes', '/dashboard/settings']) {
    await opened(page, path)
    await expect(banner).toContainText(
      'For real mail its operator sets PUBLIC_URL and MAIL_HOST to public values, and MAIL_IPS if',
    )
  }

  await opened(page, `/dashboard/domains/${domain.id}`)
  await expect(page.getByText('No records in a trial')).toBeVisible()
  await expect(page.getByText(message)).toBeVisible()
  await page.goto(`/dashboard/add-domain?id=${domain.id}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Verify DNS' })).toBeVisible()
  await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Verify', exact: true })).toBeDisabled()
  await expect(page.getByRole('main')).not.toContainText('mail.mailstead.example')
  expect(asked).toEqual([])
})
