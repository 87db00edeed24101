import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { makeLink } from '#server/features/mailboxes/access/access-links.ts'
import { acceptAccess } from '#server/features/mailboxes/access/use-link.ts'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { mailedToken } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { acceptBody } from '#test-world/people/holders.ts'
import { mailSuspensions } from './suspension-mails.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
  who = await aMember(app)
  mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who), firstName: 'Eva' })
})
afterAll(() => app.close())

const PRIVATE = 'eva@private.example'

const getHolder = async (email?: string): Promise<void> => {
  app.clock.advance({ seconds: 1 })
  const { link } = await makeLink(app, who, mailbox.id, { email })
  const token = link === null ? await mailedToken(app, PRIVATE, 'mailbox-access') : tokenIn(link)
  const client = { ip: '192.0.2.1', userAgent: 'test', deviceToken: null, trustTokens: [] }
  await acceptAccess(app, acceptBody(token), client)
}
const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? ''
const become = async (status: 'suspended' | 'active') => {
  app.clock.advance({ seconds: 1 })
  await editMailbox(app, who, mailbox.id, { status })
}
/** To whom, and about what. */
const told = async (): Promise<string[]> => {
  await Promise.all([mailSuspensions(app), mailSuspensions(app)])
  const mails = await listHeldMails(app)
  return mails
    .filter(({ subject }) => /is (?:suspended|resumed)$/.test(subject))
    .map(({ to, subject }) => `${to}: ${subject}`)
    .toReversed()
}

test('a holder is told at the private address, once, and only of what still is so', async () => {
  const suspended = `${PRIVATE}: Your mailbox ${mailbox.email} is suspended`
  const resumed = `${PRIVATE}: Your mailbox ${mailbox.email} is resumed`
  await become('suspended')
  expect(await told()).toEqual([])
  await become('active')
  await getHolder(PRIVATE)
  await become('suspended')
  expect(await told()).toEqual([suspended])
  expect(await told()).toEqual([suspended])
  await become('active')
  expect(await told()).toEqual([suspended, resumed])
  await become('suspended')
  await become('active')
  expect(await told()).toEqual([suspended, resumed])
})

test('nobody is told where the last password was set by a link that was not mailed', async () => {
  const before = await told()
  await getHolder()
  await become('suspended')
  expect(await told()).toEqual(before)
})
