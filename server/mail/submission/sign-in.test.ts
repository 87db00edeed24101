/** Who gets in, and when a connection ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { endAppPassword, listAppPasswords } from '#server/features/programs/app-passwords.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { anSmtpClient } from '#test-world/smtp/smtp-client.ts'
import {
  aSubmissionWorld,
  type ProgramSender,
  plainOf,
  type SubmissionWorld,
} from '#test-world/smtp/submission-world.ts'

let app: TestApp
let world: SubmissionWorld
let sender: ProgramSender
beforeAll(async () => {
  app = await anApp()
  world = await aSubmissionWorld(app, { ofMailbox: 3 })
})
afterAll(async () => {
  await world.close()
  await app.close()
})
beforeEach(async () => {
  sender = await world.aSender()
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('before TLS', () => {
  test('no password is asked for and no mail taken', async () => {
    const client = await anSmtpClient(world.door.starttls)
    expect(await client.reply()).toMatch(/^220 /)
    const offered = await client.say('EHLO program.example.net')
    expect(offered).toMatch(/^250[ -]STARTTLS$/m)
    expect(offered).not.toContain('AUTH')
    expect(await client.say(plainOf(sender.mailbox.email, sender.password))).toMatch(/^538 5\.7\.0/)
    expect(await client.say(`MAIL FROM:<${sender.mailbox.email}>`)).toMatch(/^530 5\.7\.0/)
    expect(await client.say('STARTTLS')).toMatch(/^220 /)
    await client.startTls()
    const secure = await client.say('EHLO program.example.net')
    expect(secure).toMatch(/^250[ -]AUTH PLAIN LOGIN$/m)
    expect(secure).toMatch(/^250[ -]SIZE 25000000$/m)
    expect(await client.say(plainOf(sender.mailbox.email, sender.password))).toMatch(/^235 /)
    client.close()
  })

  test('what came with STARTTLS is not heard over TLS', async () => {
    const client = await anSmtpClient(world.door.starttls)
    await client.reply()
    await client.say('EHLO program.example.net')
    const injected = plainOf(sender.mailbox.email, sender.password)
    client.write(`STARTTLS\r\nEHLO injected.example.net\r\n${injected}\r\n`)
    expect(await client.reply()).toMatch(/^220 /)
    await client.startTls()
    expect(await client.say(`MAIL FROM:<${sender.mailbox.email}>`)).toMatch(/^503 .*HELO\/EHLO/)
    await client.say('EHLO program.example.net')
    expect(await client.say(`MAIL FROM:<${sender.mailbox.email}>`)).toMatch(/^530 /)
    client.close()
  })
})

test('PLAIN and LOGIN, with the first answer and without, by both passwords', async () => {
  const { email } = sender.mailbox
  const plain = await world.connect()
  expect(await plain.say('AUTH PLAIN')).toBe('334')
  expect(await plain.say(base64(`\0${email}\0${HOLDERS_PASSWORD}`))).toMatch(/^235 2\.7\.0/)
  const login = await world.connect()
  expect(await login.say('AUTH LOGIN')).toBe(`334 ${base64('Username:')}`)
  expect(await login.say(base64(email))).toBe(`334 ${base64('Password:')}`)
  expect(await login.say(base64(sender.password))).toMatch(/^235 /)
  const both = await world.connect()
  expect(await both.say(`AUTH LOGIN ${base64(email)}`)).toMatch(/^334 /)
  expect(await both.say(base64(sender.password))).toMatch(/^235 /)
  const none = await world.connect()
  expect(await none.say('AUTH CRAM-MD5')).toMatch(/^504 /)
  for (const each of [plain, login, both, none]) each.close()
})

describe('a password that does not open the door', () => {
  test('is refused with the sentence, and the fifth ends the connection', async () => {
    const client = await world.connect()
    const answer = () => client.say(plainOf(sender.mailbox.email, 'aaaa-bbbb'))
    for (let n = 0; n < 4; n++)
      expect(await answer()).toBe(
        '535 5.7.8 The address or the password is not right. The settings of the mailbox make app passwords',
      )
    expect(await answer()).toMatch(/^421 /)
    await expect(client.say('NOOP')).rejects.toThrow('ended')
    expect(app.logged('sign-in-failed').length).toBeGreaterThan(0)
  })

  test('is one for reading only', async () => {
    const reader = await world.aSender({ scopes: ['imap'] })
    const client = await world.connect()
    expect(await client.say(plainOf(reader.mailbox.email, reader.password))).toBe(
      '535 5.7.8 This app password is for reading mail only',
    )
    client.close()
  })

  test('waits after too many guesses, while an app password gets in', async () => {
    const replies: string[] = []
    for (let n = 0; n < 12; n++) {
      const client = await world.connect()
      replies.push(await client.say(plainOf(sender.mailbox.email, `Guess-${n}!`)))
      client.close()
    }
    expect(replies.at(-1)).toBe('454 4.7.0 Too many wrong passwords. Please try again later')
    const client = await sender.signIn()
    expect(await client.say('NOOP')).toMatch(/^250 /)
    client.close()
  })

  test('of a mailbox that is not paid for', async () => {
    const { id } = sender.mailbox
    await app.db.updateTable('mailboxes').set({ status: 'inactive' }).where('id', '=', id).execute()
    const client = await world.connect()
    expect(await client.say(plainOf(sender.mailbox.email, sender.password))).toBe(
      '535 5.7.8 This mailbox is not active',
    )
    client.close()
  })

  test('of a suspended mailbox', async () => {
    await editMailbox(app, sender.admin, sender.mailbox.id, { status: 'suspended' })
    const client = await world.connect()
    expect(await client.say(plainOf(sender.mailbox.email, sender.password))).toMatch(
      /^535 5\.7\.8 This mailbox is suspended/,
    )
    client.close()
  })
})

describe('a connection ends', () => {
  const passwordId = async () =>
    (await listAppPasswords(app, sender.who, sender.mailbox.id))[0]?._id ?? ''

  test.each<[string, () => Promise<unknown>]>([
    [
      'with its password',
      async () => endAppPassword(app, sender.who, sender.mailbox.id, await passwordId()),
    ],
    [
      'when its mailbox is suspended',
      () => editMailbox(app, sender.admin, sender.mailbox.id, { status: 'suspended' }),
    ],
  ])('%s, and no other does', async (_name, end) => {
    const other = await world.aSender()
    const [client, neighbour] = [await sender.signIn(), await other.signIn()]
    await end()
    expect(await client.reply()).toBe('421 4.4.2 This sign-in has ended')
    await expect(client.reply()).rejects.toThrow('ended')
    expect(await neighbour.say('NOOP')).toMatch(/^250 /)
    neighbour.close()
  })

  test('that is one too many of a mailbox', async () => {
    const clients = [await sender.signIn(), await sender.signIn(), await sender.signIn()]
    const more = await world.connect()
    const login = plainOf(sender.mailbox.email, sender.password)
    expect(await more.say(login)).toBe('454 4.7.0 Too many programs are connected to this mailbox')
    for (const each of clients) {
      expect(await each.say('QUIT')).toMatch(/^221 /)
      await expect(each.reply()).rejects.toThrow('ended')
    }
    await expect.poll(() => more.say(login), { timeout: 30_000 }).toMatch(/^(235|503) /)
    more.close()
  })
})

describe('a stranger', () => {
  test('has a time for TLS and sign-in', async () => {
    const quick = await aSubmissionWorld(app, { strangerMs: 300 })
    const inTls = await quick.connect()
    expect(await inTls.reply()).toBe('421 4.4.2 Please sign in sooner')
    const silent = await anSmtpClient(quick.door.tls)
    await expect(silent.reply()).rejects.toThrow('ended')
    await quick.close()
  })

  test('takes no place of others, before TLS either', async () => {
    const few = await aSubmissionWorld(app, { placesOfEach: 2 })
    const silent = [await anSmtpClient(few.door.tls), await anSmtpClient(few.door.tls)]
    const third = await anSmtpClient(few.door.tls)
    await expect(third.reply()).rejects.toThrow('ended')
    const plain = await anSmtpClient(few.door.starttls)
    expect(await plain.reply()).toBe('421 4.7.0 Too many connections from your network')
    const elsewhere = await few.connect('127.0.0.77')
    expect(await elsewhere.say('NOOP')).toMatch(/^250 /)
    for (const each of silent) each.close()
    await few.close()
  })
})
