import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { openSharedWebFiles, shareWebFiles } from './web-files.ts'

const OLD = '/assets/login-page-AAAAaaaa.js'
const NEW = '/assets/login-page-BBBBbbbb.js'

let app: TestApp
beforeEach(async () => {
  app = await anApp()
})
afterEach(() => app.close())

const share = async (paths: readonly string[], daysLater = 0): Promise<string[]> => {
  const read: string[] = []
  const now = () => secondsAfter(app.clock.now(), daysLater * DAY_SECONDS)
  await shareWebFiles({ ...app, clock: { ...app.clock, now } }, paths, async (path) => {
    read.push(path)
    return { body: Buffer.from(`// ${path}`), br: Buffer.from(path) }
  })
  return read
}

const stored = async (): Promise<string[]> => {
  const rows = await app.db.selectFrom('webFiles').select('path').orderBy('path').execute()
  return rows.map(({ path }) => path)
}

test('a release brings its files once, and another one finds them', async () => {
  const find = openSharedWebFiles(app)
  expect(await find(OLD)).toBeNull()
  expect(await share([OLD])).toEqual([OLD])
  expect(await share([OLD, NEW])).toEqual([NEW])
  expect(await find(OLD)).toEqual({ body: Buffer.from(`// ${OLD}`), br: Buffer.from(OLD) })
  expect(await find(NEW)).not.toBeNull()
})

test('two processes that start at once both succeed', async () => {
  await Promise.all([share([OLD, NEW]), share([NEW, OLD]), share([OLD])])
  expect(await stored()).toEqual([OLD, NEW])
})

test('files that no process had for 30 days go, and those of a process that runs on stay', async () => {
  await share([OLD])
  await share([NEW], 29)
  expect(await stored()).toEqual([OLD, NEW])
  await share([OLD], 29.5)
  await share([NEW], 58)
  expect(await stored()).toEqual([OLD, NEW])
  await share([NEW], 60)
  expect(await stored()).toEqual([NEW])
})

test('only files with the name of a built one are shared and looked for', async () => {
  const others = [
    ...[
      '/index.html',
      '/assets/page-AAAAaaaa.html',
      '/assets/theme.js',
      '/assets/a-AAAAaaaa.js.br',
    ],
    ...['/assets/../x-AAAAaaaa.js', '/assets/x/y-AAAAaaaa.js', '/api/v1/x-AAAAaaaa.js'],
  ]
  expect(await share(others)).toEqual([])
  expect(await stored()).toEqual([])
  // With it, any question to the database would fail.
  const find = openSharedWebFiles({ db: app.db.withSchema('nowhere'), secrets: app.secrets })
  await expect(find(OLD)).rejects.toThrow('nowhere')
  for (const path of others) expect(await find(path)).toBeNull()
})

test('what the program did not write is not sent', async () => {
  await share([OLD, NEW])
  await app.db
    .updateTable('webFiles')
    .set({ body: Buffer.from('alert(1)') })
    .where('path', '=', OLD)
    .execute()
  const { mac, body, br } = await app.db
    .selectFrom('webFiles')
    .selectAll()
    .where('path', '=', NEW)
    .executeTakeFirstOrThrow()
  const moved = '/assets/moved-CCCCcccc.js'
  await app.db
    .insertInto('webFiles')
    .values({ path: moved, mac, body, br, servedAt: new Date() })
    .execute()
  const find = openSharedWebFiles(app)
  expect(await find(OLD)).toBeNull()
  expect(await find(moved)).toBeNull()
  expect(await find(NEW)).not.toBeNull()
})
