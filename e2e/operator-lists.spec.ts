/** An operator goes through long lists: sorts, searches, pages, comes back, and takes the list along. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, opened, type Setting, test } from './specification/setting.ts'

const PEOPLE = 120

const upToMany = Array.from({ length: PEOPLE }, (_, at) => String(at + 1).padStart(3, '0'))

/** Named 'Number 001 <mark>' and on. @returns the mark */
const manyPeople = async ({ db, clock }: Setting, numbers = upToMany): Promise<string> => {
  const mark = crypto.randomUUID().slice(0, 8)
  const createdAt = clock.now()
  const users = numbers.map((number) => ({
    ...{ id: crypto.randomUUID(), email: `${mark}-${number}@customers.example`, createdAt },
    ...{ firstName: `=Number ${number}`, lastName: mark, avatar: null, passwordHash: null },
    ...{ verifiedAt: createdAt, currentWorkspaceId: null, lastLoginAt: null },
  }))
  await db.insertInto('users').values(users).execute()
  return mark
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the open tab is scrolled into view', async ({ operator: { page } }) => {
    await opened(page, '/operator?tab=log')
    await expect(page.getByRole('tab', { name: 'Log' })).toBeInViewport({ ratio: 0.9 })
  })
})

const firstPerson = (page: Page) => page.getByRole('table').getByRole('row').nth(1)

test('a long list is searched, sorted and paged, and the URL keeps all of it', async ({
  operator: { page },
  setting,
}) => {
  const mark = await manyPeople(setting)
  await opened(page, '/operator?tab=people')
  await page.getByLabel('Search people').fill(mark)
  await expect(page.getByRole('heading', { name: `People: ${PEOPLE}` })).toBeVisible()
  await page.getByRole('button', { name: 'Person' }).click()
  await expect(firstPerson(page)).toContainText('Number 001')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(firstPerson(page)).toContainText('Number 051')
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(firstPerson(page)).toContainText('Number 101')
  await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.reload()
  await expect(firstPerson(page)).toContainText('Number 101')
  await expect(page.getByLabel('Search people')).toHaveValue(mark)
  await page.goBack()
  await expect(firstPerson(page)).toContainText('Number 051')
  await pages.getByRole('button', { name: 'Previous' }).click()
  await expect(firstPerson(page)).toContainText('Number 001')
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(firstPerson(page)).toContainText('Number 051')
  await page.getByRole('button', { name: 'Person' }).click()
  await expect(firstPerson(page)).toContainText('Number 120')
})

test('an export has every row that the search finds, in its order, and no formula', async ({
  operator: { page },
  setting,
}) => {
  const mark = await manyPeople(setting)
  await opened(page, `/operator?tab=people&sort=person&q=${mark}`)
  await expect(firstPerson(page)).toContainText('Number 001')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\uFEFFName,Email,/)
  expect(lines).toHaveLength(PEOPLE + 1)
  expect(lines[1]).toContain(`"'=Number 001 ${mark}",${mark}-001@customers.example,`)
  expect(lines.at(-1)).toContain(`${mark}-120@customers.example`)
})

test('a page has the order of the server, which the export has, too', async ({
  operator: { page },
  setting,
}) => {
  // By their values 9 would come first.
  const mark = await manyPeople(setting, ['9', '10'])
  await opened(page, `/operator?tab=people&sort=person&q=${mark}`)
  await expect(page.getByRole('table').getByRole('row')).toHaveText([
    /Person/,
    /=Number 10/,
    /=Number 9/,
  ])
})
