/** A thousand wrong passwords from one network, on the wire of both doors, keep out nobody who has a right one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import {
  aSubmissionWorld,
  type ProgramSender,
  plainOf,
  type SubmissionWorld,
} from '#test-world/smtp/submission-world.ts'
import { type OpenImap, openImap } from '../imap/listener.ts'

let app: TestApp
let imap: OpenImap
let submission: SubmissionWorld
let sender: ProgramSender
let appPassword: string
beforeAll(async () => {
  app = await anApp()
  imap = await openImap(app)
  submission = await aSubmissionWorld(app)
})
afterAll(async () => {
  await imap.close()
  await submission.close()
  await app.close()
})
beforeEach(async () => {
  sender = await submission.aSender()
  const given = { name: 'Phone', scopes: ['imap' as const, 'smtp' as const] }
  const made = await makeAppPassword(app, sender.who, sender.mailbox.id, given)
  appPassword = made.password
})

const ATTACKER = '127.0.0.2'
const ELSEWHERE = '127.0.1.1'
/** Each door takes half of them. */
const TRIES = 1_000
/** Of one network at one account; what comes after them is refused without a look at the password. */
const LOOKED_AT = 10
/** The library of submission lets each wait for a tenth of a second. */
const CONNECTIONS = 10
/** The door hangs up after more. */
const OF_CONNECTION = { imap: 19, smtp: 4 }

const base64 = (text: string): string => Buffer.from(text).toString('base64')
/** What people choose, and what has the form of an app password. */
const guess = (n: number): string =>
  n % 2 === 0 ? `Night-Train-${n}!` : String(n).padStart(4, 'a').replace(/[01]/g, 'b').repeat(7)

const onImap = async (from: string): Promise<ImapClient> => {
  const client = await ImapClient.connect(imap.imaps, { localAddress: from })
  await client.until('* OK')
  return client
}
const imapAs = async (from: string, password: string): Promise<string> => {
  const client = await onImap(from)
  const { ending } = await client.run(`LOGIN ${sender.mailbox.email} ${password}`)
  client.close()
  return codeOf(ending)
}
const smtpAs = async (from: string, password: string): Promise<string> => {
  const client = await submission.connect(from)
  const reply = await client.say(plainOf(sender.mailbox.email, password))
  client.close()
  return reply.slice(0, 3)
}
const codeOf = (ending: string): string => /^OK|\[[A-Z]+\]/.exec(ending)?.[0] ?? ending

const guessImap = async (first: number, count: number): Promise<string[]> => {
  const { email } = sender.mailbox
  const client = await onImap(ATTACKER)
  const answers: string[] = []
  for (let n = first; n < first + count; n++) {
    const plain = `AUTHENTICATE PLAIN ${base64(`\0${email}\0${guess(n)}`)}`
    const { ending } = await client.run(n % 3 === 0 ? plain : `LOGIN ${email} ${guess(n)}`)
    answers.push(codeOf(ending))
  }
  client.close()
  return answers
}
const guessSmtp = async (first: number, count: number): Promise<string[]> => {
  const client = await submission.connect(ATTACKER)
  const answers: string[] = []
  for (let n = first; n < first + count; n++)
    answers.push((await client.say(plainOf(sender.mailbox.email, guess(n)))).slice(0, 3))
  client.close()
  return answers
}

/** Whoever has a right one, in this moment. */
const expectOpen = async (): Promise<void> => {
  const right = [
    ...[await imapAs(ELSEWHERE, HOLDERS_PASSWORD), await imapAs(ELSEWHERE, appPassword)],
    await imapAs(ATTACKER, appPassword),
    ...[await smtpAs(ELSEWHERE, HOLDERS_PASSWORD), await smtpAs(ELSEWHERE, appPassword)],
    await smtpAs(ATTACKER, appPassword),
  ]
  expect(right).toEqual(['OK', 'OK', 'OK', '235', '235', '235'])
}

test('a thousand wrong ones, of which ten are looked at', async () => {
  const answers: string[] = []
  while (answers.length < TRIES) {
    const first = answers.length
    if (first < TRIES / 2) answers.push(...(await guessImap(first, OF_CONNECTION.imap)))
    else {
      const some = Array.from({ length: CONNECTIONS }, (_, n) => first + n * OF_CONNECTION.smtp)
      const told = await Promise.all(some.map((from) => guessSmtp(from, OF_CONNECTION.smtp)))
      answers.push(...told.flat())
    }
    if (Math.floor(first / 250) !== Math.floor(answers.length / 250)) await expectOpen()
  }
  expect(answers.filter((answer) => answer === '[AUTHENTICATIONFAILED]')).toHaveLength(LOOKED_AT)
  expect(new Set(answers.slice(LOOKED_AT))).toEqual(new Set(['[LIMIT]', '454']))
  await expectOpen()
  // The guesser learns nothing from a right guess: that one waits, too.
  expect([
    await imapAs(ATTACKER, HOLDERS_PASSWORD),
    await smtpAs(ATTACKER, HOLDERS_PASSWORD),
  ]).toEqual(['[LIMIT]', '454'])
  const counted = await app.db
    .selectFrom('throttles')
    .select(({ fn }) => fn.max<number>('count').as('most'))
    .where('key', 'like', `%${sender.mailbox.email}%`)
    .executeTakeFirstOrThrow()
  expect(counted.most).toBe(LOOKED_AT)
})
