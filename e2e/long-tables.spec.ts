/** Tables of many rows that wrap, of which only those in view are in the document. */
import { aDomain } from '#test-world/builders.ts'
import { expect, opened, test } from './specification/setting.ts'

test('End leads to the last row, Home to the first', async ({ setting, person }) => {
  const { page, workspace } = person
  const names = Array.from({ length: 130 }, (_, at) => `n${String(at).padStart(3, '0')}.example`)
  await Promise.all(names.map((name) => aDomain(setting, { workspaceId: workspace.id, name })))
  await page.setViewportSize({ width: 390, height: 844 })
  await opened(page, '/dashboard/domains')
  const table = page.getByRole('region', { name: 'Domains', exact: true })
  await expect(table.locator('[aria-rowindex="2"]')).toBeVisible()
  for (const [key, index] of [
    ['End', '131'],
    ['Home', '2'],
    ['End', '131'],
  ] as const) {
    await table.focus()
    await page.keyboard.press(key)
    await expect(table.locator(`[aria-rowindex="${index}"]`)).toBeInViewport()
  }
})
