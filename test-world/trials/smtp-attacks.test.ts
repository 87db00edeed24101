/** During each attack, mail of another tenant is accepted. The bench measures how long that takes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInbound } from '#server/mail/inbound/listener.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { smtpAttacks } from '../../bench/worst/smtp-attacks.ts'

let app: TestApp
let door: Awaited<ReturnType<typeof openInbound>>
beforeAll(async () => {
  app = await anApp()
  door = await openInbound(app)
})
afterAll(async () => {
  await door.close()
  await app.close()
})

/** The other attacks take long to start; `npm run bench` runs them all. */
const quick = smtpAttacks.filter(({ name }) => /guessing|come and go|STARTTLS/.test(name))

test.each(quick)('$name', async ({ run }) => {
  const [ours, theirs] = [await aMailbox(app), await aMailbox(app)]
  const ended = new AbortController()
  const attacking = run(
    {
      ...{ httpUrl: '', smtpPort: door.port, domain: '', recipient: theirs.email },
      guarded: { email: '', password: '' },
      ...{ freeAccounts: [], tenant: { token: '', mailboxId: '' } },
    },
    ended.signal,
  )
  const raw = 'From: a@example.net\r\nSubject: x\r\n\r\nHello\r\n'
  for (let n = 0; n < 5; n++)
    expect(await sendMail(door.port, { to: ours.email, raw })).toMatch(/^250 /)
  ended.abort()
  await attacking
})
