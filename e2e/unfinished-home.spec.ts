/** The home while mail does not work yet: what to do next is said, and 'All is well' is not. */
import { aMailbox } from '#test-world/builders.ts'
import { aDomainWithRecords, mailStaysElsewhere } from './specification/domain-rows.ts'
import { expect, opened, test } from './specification/setting.ts'

const good = {
  ownership: 'verified',
  spf: 'verified',
  dkim: 'verified',
  dmarc: 'verified',
} as const

test('with the MX still at the old provider nothing is well, and the move is the next step', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const end = `${workspace.id.slice(-8)}.example`
  const given = { workspaceId: workspace.id, verified: true, active: true } as const
  const states = { ...good, mx: 'different' } as const
  const near = await aDomainWithRecords(setting, { ...given, name: `near.${end}`, states })
  await aMailbox(setting, { domain: near })
  const now = setting.clock.now()
  await setting.db
    .updateTable('domains')
    .set({ mailCameAt: now, mailWentAt: now })
    .where('id', '=', near.id)
    .execute()
  // Newer, and further from working mail.
  const far = await aDomainWithRecords(setting, { ...given, name: `far.${end}`, states })
  await aMailbox(setting, { domain: far, status: 'inactive' })
  for (const domain of [near, far]) await mailStaysElsewhere(setting, domain)

  await opened(page, '/dashboard')
  const steps = page.getByRole('list', { name: `Until mail of near.${end} works` })
  await expect(steps.getByRole('link', { name: /Move receiving here/ })).toContainText(
    'New mail goes to mx1.oldprovider.net.',
  )
  await expect(page.getByText('The nearest to done of 2 domains')).toBeVisible()
  const rows = page.getByRole('main').getByRole('link').and(page.locator(':not(ol a)'))
  await expect(rows.filter({ hasText: 'New mail goes to mx1.oldprovider.net.' })).toHaveText([
    new RegExp(`^near.${end}`),
    new RegExp(`^far.${end}`),
  ])
  await expect(page.getByText('All is well')).toHaveCount(0)

  await steps.getByRole('link', { name: /Move receiving here/ }).click()
  await expect(page).toHaveURL(`/dashboard/add-domain?id=${near.id}`)
  await opened(page, '/dashboard/domains')
  const row = page
    .getByRole('table', { name: 'Domains' })
    .getByRole('row')
    .filter({ hasText: 'near' })
  await expect(row).toContainText('MX: Another value stands there.')
})

test('of thirty unfinished domains the nearest to done come first, the rest is behind a link', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const end = `${workspace.id.slice(-8)}.example`
  for (let n = 0; n < 30; n++)
    await aDomainWithRecords(setting, {
      ...{ name: `client-${n}.${end}`, workspaceId: workspace.id, verified: n < 12 },
      states: n === 3 ? { ...good, dmarc: 'waiting' } : n < 12 ? { ownership: 'verified' } : {},
    })
  await opened(page, '/dashboard')
  const rows = page.getByRole('main').getByRole('link').and(page.locator(':not(ol a)'))
  await expect(rows).toHaveCount(6)
  await expect(rows.first()).toContainText(`client-3.${end}3 of 4 DNS records verified`)
  await rows.filter({ hasText: '25 more domains need work' }).click()
  await expect(page).toHaveURL('/dashboard/domains?state=work')
  await expect(page.getByText('30 shown')).toBeVisible()
})
