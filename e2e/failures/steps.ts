/** How a form is filled before something goes wrong, and how one sees that nothing of it is lost. */
import { expect, type Locator, type Page } from '@playwright/test'
import { answering, opened } from '../specification/setting.ts'
import type { World } from './world.ts'
import type { Write } from './writes.ts'

export const pathOf = ({ path }: Pick<Write, 'path'>, world: World): string =>
  typeof path === 'string' ? path : path(world)

/** The page itself, or the dialog that stands over it. */
export const scopeOf = async (page: Page): Promise<Locator> => {
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  return (await dialog.count()) > 0 ? dialog : page.getByRole('main')
}

export const answerAll = async (page: Page, answers: Write['answers'] = {}): Promise<void> => {
  for (const [call, answer] of Object.entries(answers)) {
    const [method = '', path = ''] = call.split(' ', 2)
    await answering(page, method, path, answer)
  }
}

export const begin = async (page: Page, write: Write, world: World): Promise<void> => {
  await answerAll(page, write.answers)
  await opened(page, pathOf(write, world))
  await write.open?.(page, world)
  for (const [label, value] of Object.entries(write.typed(world)))
    await page.getByLabel(label, { exact: true }).fill(value)
}

export const expectTyped = async (page: Page, typed: Record<string, string>): Promise<void> => {
  for (const [label, value] of Object.entries(typed))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
}

const toasts = (page: Page) =>
  page.getByRole('button', { name: 'Close notification', includeHidden: true })

export const expectNoToast = (page: Page): Promise<void> => expect(toasts(page)).toHaveCount(0)

export const closeToast = async (page: Page): Promise<void> => {
  await toasts(page).click()
  await expectNoToast(page)
}
