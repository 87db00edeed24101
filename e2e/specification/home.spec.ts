/** The home of the dashboard. */
import { expect, test } from './setting.ts'

test('four cards with live figures [2.36]', async ({ person }) => {
  await person.page.goto('/dashboard')
  for (const title of ['Total Domains', 'Mailboxes', 'Storage', 'Messages today'])
    await expect(
      person.page.getByText(title, { exact: true }).filter({ visible: true }).first(),
    ).toBeVisible()
})
