/** What screens of operators have in common. */
import type { Page } from '@playwright/test'
import type { Screen } from '../screen.ts'

export const at =
  (path: Screen['path']) =>
  (screen: Omit<Screen, 'who' | 'path'>): Screen => ({ ...screen, who: 'operator', path })

export const openFirst = (page: Page) =>
  page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()

export const choose =
  (item: RegExp, open = openFirst) =>
  async (page: Page) => {
    await open(page)
    await page.getByRole('menuitem', { name: item }).click()
  }

export const noRows = { items: [], total: 0, nextCursor: null, previousCursor: null }
