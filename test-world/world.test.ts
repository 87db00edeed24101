import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anApp, type TestApp } from './app.ts'
import { aDomain, aMailbox, aUser, aWorkspace } from './builders.ts'

describe('the world of the tests', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await anApp()
  })
  afterAll(() => app.close())

  test('a mailbox stands on an active domain of a workspace, with its folders', async () => {
    const user = await aUser(app)
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
    const mailbox = await aMailbox(app, { domain, localPart: 'ada', status: 'suspended' })
    expect(mailbox).toMatchObject({ email: `ada@${domain.name}`, status: 'suspended' })
    const folders = await app.db.selectFrom('folders').select('role').execute()
    expect(folders).toHaveLength(6)
  })

  test('another app has a database of its own, and its own time', async () => {
    const other = await anApp()
    try {
      expect(await other.db.selectFrom('users').selectAll().execute()).toEqual([])
      const before = other.clock.now()
      other.clock.advance({ minutes: 10 })
      expect(other.clock.now().getTime() - before.getTime()).toBe(600_000)
    } finally {
      await other.close()
    }
  })
})
