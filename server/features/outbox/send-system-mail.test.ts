import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { sendSystemMail } from './send-system-mail.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const headerOf = async (operatorContact: string): Promise<string> => {
  const on = { ...app, config: { ...app.config, operatorContact } }
  await app.db.deleteFrom('outboxMessages').execute()
  const mail = { to: 'ada@example.org', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>' }
  await sendSystemMail(on, app.db, { ...mail, link: null })
  const { blob } = await app.db
    .selectFrom('outboxMessages')
    .select('blob')
    .executeTakeFirstOrThrow()
  return String(await app.blobs.get(blob)).split('\r\n\r\n')[0] ?? ''
}

it('is answered to the operator, unless they have a web page alone', async () => {
  expect(await headerOf('help@operator.example')).toMatch(/^Reply-To: help@operator\.example\r?$/m)
  expect(await headerOf('https://operator.example/help')).not.toMatch(/^Reply-To:/m)
})
