import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApiKey } from '#server/features/keys/api-keys.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { keyVerbs } from './key-verbs.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const run = (verb: string, ...words: string[]) =>
  keyVerbs[verb]?.run({ ...app, ask: null }, ...words)

test('an operator sees the keys of a workspace without what they are, and ends one', async () => {
  const ada = await aUser(app, { email: 'ada@elsewhere.example' })
  const members = [{ user: ada, role: 'Admin' as const }]
  const { id: workspaceId } = await aWorkspace(app, { name: 'Engines', members })
  const who = {
    ...{ userId: ada.id, sessionId: newId(), workspaceId },
    ...{ role: 'Admin' as const, ip: '' },
  }
  const form = { kind: 'person' as const, name: 'Script', scopes: ['mail:send' as const] }
  const { _id, key } = await makeApiKey(app, who, form)
  const table = await run('key list', 'Engines')
  expect(table).toMatchObject({
    rows: [
      [
        'Script',
        'person',
        'ada@elsewhere.example',
        'mail:send',
        app.clock.now(),
        null,
        null,
        null,
        _id,
      ],
    ],
  })
  expect(JSON.stringify(table)).not.toContain(key.slice(-6))
  await expect(run('key end', 'Engines', newId())).rejects.toThrow()
  await expect(run('key end', 'Elsewhere', _id)).rejects.toThrow()
  expect(await run('key end', 'Engines', _id)).toBe('Script has ended.')
  expect(await run('key list', workspaceId)).toMatchObject({ rows: [] })
  const action = await app.db.selectFrom('operatorActions').selectAll().executeTakeFirstOrThrow()
  expect(action).toMatchObject({ verb: 'key end', workspaceId, subject: 'Script', detail: _id })
})
