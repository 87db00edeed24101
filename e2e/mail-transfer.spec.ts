/** I move house with my mail: an old mbox file comes in, whatever happens to the line, and mine leaves as one. */
import { readFile } from 'node:fs/promises'
import type { Route } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { expect, opened, test } from './specification/setting.ts'

const letter = (n: number) =>
  `From grace@navy.example Thu Nov 19 09:00:00 2026\nFrom: Grace <grace@navy.example>\nTo: ada@x.example\nSubject: Old letter ${n}\nDate: Thu, 19 Nov 2020 09:00:00 +0000\nX-Gmail-Labels: Inbox\n\n>From the sea, number ${n}.\n\n`

test('an old file comes in over a line that breaks, once however often I send it, and leaves as a file', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id)
  const name = 'All mail.mbox'
  const buffer = Buffer.from(Array.from({ length: 120 }, (_, n) => letter(n)).join(''))
  const part = page.getByRole('region', { name: 'Import' })
  const choose = () =>
    page.getByLabel('mbox file').setInputFiles({ name, mimeType: 'application/mbox', buffer })
  await page.clock.install()
  await opened(page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}#transfer`)
  await expect(page.getByRole('button', { name: 'Choose an mbox file' })).toBeVisible()
  // The bar shows the storage of all mailboxes, not of this empty one.
  await expect(page.getByText('All mailboxes of the workspace')).toBeVisible()

  await page
    .getByLabel('mbox file')
    .setInputFiles({ name: 'mail.zip', mimeType: 'application/zip', buffer: Buffer.from('PK..') })
  await expect(part).toContainText('This is not an mbox file.')

  await page.route('**/pieces/**', (route) => route.abort())
  await choose()
  await expect(part).toContainText(`${name} waits for the connection, and goes on by itself.`)
  await page.unroute('**/pieces/**')
  await page.route('**/pieces/**', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '1' },
      json: {
        ...{ type: 'TOO_MANY_REQUESTS', message: 'Too many requests', statusCode: 429 },
        ...{ path: '/api/v1', data: {} },
      },
    }),
  )
  await expect(part).toContainText(`${name} waits for the server, and goes on by itself.`)
  await page.unroute('**/pieces/**')
  await expect(part).toContainText('is done: 120 messages imported.')
  await choose()
  await expect(part).toContainText('0 messages imported, 120 were here already')

  const looks: string[] = []
  page.on('request', (request) => {
    if (/\/exports\/[^/]+$/.test(request.url())) looks.push(request.method())
  })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  // The first look may come after the end: only when it says that the export goes on there is a second one.
  const firstLook = async (route: Route) => {
    const found = await (await route.fetch()).json()
    await route.fulfill({ json: { ...found, state: 'running', written: 7 } })
  }
  await page.route(/\/exports\/[^/]+$/, firstLook, { times: 1 })
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download mbox' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe(`${mailbox.email}.mbox`)
  const saved = await readFile(await download.path(), 'utf8')
  expect(saved.match(/^Subject: Old letter \d+$/gm)).toHaveLength(120)
  expect(saved).toContain('\n>From the sea, number 119.\n')
  await expect(page.getByText('7 of 120 messages')).toBeVisible()
  await page.clock.runFor(900)
  const looked = looks.length
  await page.clock.runFor(100)
  await expect(page.getByText('Exported 120 messages.')).toBeVisible()
  expect(looks).toHaveLength(looked + 1)
  await page.clock.resume()

  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(page.getByRole('link', { name: /Old letter 119/ }).first()).toContainText('2020')
})
