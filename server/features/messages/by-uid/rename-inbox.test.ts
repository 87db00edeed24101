import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { aMailProgram } from '#test-world/mail/mail-program.ts'
import { listFolders } from '../list-folders.ts'
import { renameInbox } from './rename-inbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test('the messages go into the new folder, and the Inbox takes new ones', async () => {
  const program = await aMailProgram(app)
  const { who, mailbox } = program
  await program.come('1', '2')
  await renameInbox(app, who, mailbox.id, 'Old/2026')
  const folders = await listFolders(app, who, mailbox.id)
  expect(folders.find(({ name }) => name === 'Old/2026')).toMatchObject({ messages: 2 })
  await program.come('3')
  expect((await program.rows('inbox')).map(({ subject, uid }) => [subject, uid])).toEqual([
    ['3', 3],
  ])
  await expect(renameInbox(app, who, mailbox.id, 'old/2026')).rejects.toMatchObject({
    type: 'VALIDATION',
  })
  const other = await aMailProgram(app)
  await expect(renameInbox(app, other.who, mailbox.id, 'Other')).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  expect(await program.rows('inbox')).toHaveLength(1)
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})
