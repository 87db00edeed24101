import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '#contract/mail/app-passwords.ts'
import { setNewPassword } from '#server/features/accounts/change-password.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { deleteMailboxLater } from '#server/features/deletions/delete-later.ts'
import { beginTotpFor, confirmTotpFor, removeTotpOf } from '#server/features/factors/set-up-totp.ts'
import { makeLink, revokeAccess } from '#server/features/mailboxes/access/access-links.ts'
import { giveMailbox, takeMailboxBack } from '#server/features/mailboxes/access/change-readers.ts'
import { acceptAccess } from '#server/features/mailboxes/access/use-link.ts'
import { addAlias } from '#server/features/mailboxes/aliases.ts'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { removeMember } from '#server/features/members/change-members.ts'
import { handOver } from '#server/features/moves/hand-over.ts'
import { moveDomain } from '#server/features/moves/move-domain.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { announceSignIns } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { codeOf } from '#test-world/people/factors.ts'
import { acceptBody, aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import {
  endAppPassword,
  listAppPasswords,
  listProgramUses,
  makeAppPassword,
} from './app-passwords.ts'
import { mailNewPrograms } from './mail-new-programs.ts'
import { noteProgram, programName } from './note-use.ts'
import { getProgramRules, saveProgramRules } from './program-rules.ts'
import type { SignIn } from './sign-in.ts'
import { signInToMailbox } from './sign-in-to-mailbox.ts'
import { isStillSignedIn, watchSignIns } from './watch-sign-ins.ts'

let app: TestApp
let admin: Who
let domain: Domain
let mailbox: Mailbox
let holder: User
let who: Who
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  admin = await aMember(app)
  domain = await anActiveDomain(app, admin)
  mailbox = await aMailbox(app, { domain })
  holder = await aHolder(app, mailbox)
  who = personIn(holder, 'Holder')
  app.clock.advance({ days: 1 })
})

const personIn = ({ id }: Pick<User, 'id'>, role: Who['role']): Who => ({
  ...{ userId: id, sessionId: newId(), workspaceId: mailbox.workspaceId, role, ip: '127.0.0.1' },
})
const FORM = { name: 'My phone', scopes: ['imap', 'smtp'] as Scope[] }
const make = (form: Partial<typeof FORM & { expiresAt: string }> = {}, by = who) =>
  makeAppPassword(app, by, mailbox.id, { ...FORM, ...form })
const come = (password: string, given: { login?: string; scope?: Scope; ip?: string } = {}) =>
  signInToMailbox(app, {
    ...{ login: mailbox.email, scope: 'imap', ip: '192.0.2.1', password },
    ...given,
  })
const signedIn = async (...given: Parameters<typeof come>): Promise<SignIn> => {
  const answer = await come(...given)
  if ('refused' in answer) throw new Error(answer.refused)
  return answer
}
const refusal = async (...given: Parameters<typeof come>) => {
  const answer = await come(...given)
  return 'refused' in answer ? answer.refused : 'signed in'
}

describe('an app password', () => {
  test('opens its mailbox, however it is typed, and only its hash is kept', async () => {
    const { password, _id } = await make()
    expect(password).toMatch(/^[a-km-np-z2-9]{4}(?:-[a-km-np-z2-9]{4}){6}$/)
    const answer = { mailboxId: mailbox.id, email: mailbox.email, appPasswordId: _id }
    expect(await come(password)).toMatchObject({
      ...answer,
      who: { userId: holder.id, role: 'Holder', workspaceId: mailbox.workspaceId, ip: '192.0.2.1' },
    })
    expect(await come(password.toUpperCase().replaceAll('-', ' '))).toMatchObject(answer)
    expect(await come(`${password} `, { login: mailbox.email.toUpperCase() })).toMatchObject(answer)
    const rows = await app.db.selectFrom('appPasswords').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(password.replaceAll('-', ''))
    expect(rows.map((row) => row.secretHash)).toContainEqual(
      hashToken(password.replaceAll('-', '')),
    )
  })

  test('opens it by an alias too, and no other mailbox', async () => {
    const { password } = await make()
    const other = await aMailbox(app)
    const { email: alias } = await addAlias(app, admin, mailbox.id, {
      email: `alias@${mailbox.email.split('@')[1]}`,
    })
    expect(await come(password, { login: alias })).toMatchObject({ email: mailbox.email })
    for (const login of [
      other.email,
      'nobody@nowhere.example',
      'nonsense',
      '',
      '\0',
      '@'.repeat(400),
    ])
      expect(await refusal(password, { login }), login).toBe('wrong')
  })

  test('is for what it was made for, until its end', async () => {
    const { password } = await make({ scopes: ['imap'] })
    expect(await refusal(password, { scope: 'smtp' })).toBe('scope')
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const short = await make({ expiresAt })
    expect(short.expiresAt).toBe(expiresAt)
    const open = await signedIn(short.password)
    expect(await isStillSignedIn(app, open)).toBe(true)
    app.clock.advance({ seconds: 60 })
    expect(await refusal(short.password)).toBe('expired')
    expect(await isStillSignedIn(app, open)).toBe(false)
    await expect(make({ expiresAt })).rejects.toMatchObject({
      data: { expiresAt: 'This day is over' },
    })
  })

  test('belongs to one reader: no Admin, and no other reader, sees or ends it', async () => {
    const { _id, password } = await make()
    await expect(make({}, admin)).rejects.toMatchObject({ type: 'FORBIDDEN' })
    await letRead(app, mailbox, admin.userId, 'given')
    expect(await listAppPasswords(app, admin, mailbox.id)).toEqual([])
    const ending = endAppPassword(app, admin, mailbox.id, _id)
    await expect(ending).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    const own = await make({ name: 'Laptop' }, admin)
    expect(await come(own.password)).toMatchObject({ who: { userId: admin.userId, role: 'Admin' } })
    const open = await signedIn(password)
    await endAppPassword(app, who, mailbox.id, _id)
    expect(await refusal(password)).toBe('wrong')
    expect(await isStillSignedIn(app, open)).toBe(false)
    expect(await listAppPasswords(app, who, mailbox.id)).toEqual([])
    const changes = app.logged('right-changed').filter(({ objectId }) => objectId === _id)
    expect(changes).toMatchObject([{ change: 'made' }, { change: 'ended', whose: holder.id }])
  })

  test('has a limit of fifty, also when two are made at once', async () => {
    for (let n = 0; n < 49; n++) await make()
    const made = await Promise.allSettled([make(), make(), make()])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(make()).rejects.toMatchObject({ type: 'APP_PASSWORD_LIMIT' })
    expect(await listAppPasswords(app, who, mailbox.id)).toHaveLength(50)
  })
})

describe('a credential and what was opened with it end at once when', () => {
  const endings: Record<string, { end: () => Promise<unknown>; becomes: string }> = {
    'both passwords are ended': {
      end: async () => {
        const [made] = await listAppPasswords(app, who, mailbox.id)
        await app.db
          .updateTable('users')
          .set({ passwordHash: null })
          .where('id', '=', holder.id)
          .execute()
        await endAppPassword(app, who, mailbox.id, made?._id ?? '')
      },
      becomes: 'wrong',
    },
    'the mailbox is suspended': {
      end: () => editMailbox(app, admin, mailbox.id, { status: 'suspended' }),
      becomes: 'suspended',
    },
    'the mailbox is deleted': {
      end: () => deleteMailboxLater(app, admin, mailbox.id),
      becomes: 'inactive',
    },
    'the access of its holder is revoked': {
      end: () => revokeAccess(app, admin, mailbox.id),
      becomes: 'wrong',
    },
    'the mailbox is handed over': {
      end: () => handOver(app, admin, mailbox.id, { userId: admin.userId }),
      becomes: 'wrong',
    },
    'its domain is given up': {
      end: () => deleteDomain(app, admin, mailbox.domainId),
      becomes: 'wrong',
    },
    'its domain moves': {
      end: async () => {
        const { id } = await aWorkspace(app, {
          members: [{ user: { id: admin.userId } as User, role: 'Admin' }],
        })
        await moveDomain(app, admin, mailbox.domainId, id)
      },
      becomes: 'wrong',
    },
  }
  /** Ends when a watching process hears of what `end` does. What came before is heard before the mark. */
  const heardOf = async (end: () => Promise<unknown>): Promise<void> => {
    const heard: (string | null)[] = []
    let tell = () => {}
    const stop = await watchSignIns(app, (mailboxId) => {
      heard.push(mailboxId)
      tell()
    })
    const until = (isIt: (mailboxId: string | null) => boolean) =>
      new Promise<void>((resolve) => {
        tell = () => {
          if (heard.some(isIt)) resolve()
        }
        tell()
      })
    const mark = newId()
    await announceSignIns(app.db, [mark])
    await until((mailboxId) => mailboxId === mark)
    heard.length = 0
    await end()
    await until((mailboxId) => mailboxId === null || mailboxId === mailbox.id)
    stop()
  }

  test.each(Object.entries(endings))('%s', async (_, { end, becomes }) => {
    const { password } = await make()
    const open = [await signedIn(password), await signedIn(HOLDERS_PASSWORD)]
    await heardOf(end)
    for (const signIn of open) expect(await isStillSignedIn(app, signIn)).toBe(false)
    expect(await refusal(password)).toBe(becomes)
    expect(await refusal(HOLDERS_PASSWORD)).toBe(becomes)
  })

  test('its maker loses the right to its first holder', async () => {
    mailbox = await aMailbox(app, { domain })
    await letRead(app, mailbox, admin.userId, 'made')
    const { password } = await make({}, admin)
    const open = await signedIn(password)
    const { link } = await makeLink(app, admin, mailbox.id, {})
    const token = new URL(link ?? '').searchParams.get('token') ?? ''
    const client = { ip: '192.0.2.1', userAgent: 'test', deviceToken: null, trustTokens: [] }
    await heardOf(() => acceptAccess(app, acceptBody(token), client))
    expect(await isStillSignedIn(app, open)).toBe(false)
    expect(await refusal(password)).toBe('wrong')
    expect(await refusal(HOLDERS_PASSWORD)).toBe('signed in')
  })

  test('a right is taken back, and given again it opens nothing', async () => {
    const user = await aUser(app)
    await app.db
      .insertInto('members')
      .values({
        workspaceId: mailbox.workspaceId,
        userId: user.id,
        role: 'User',
        createdAt: app.clock.now(),
      })
      .execute()
    await giveMailbox(app, admin, mailbox.id, { userId: user.id })
    const { password } = await make({}, personIn(user, 'User'))
    const open = await signedIn(password)
    await takeMailboxBack(app, admin, mailbox.id, user.id)
    expect(await refusal(password)).toBe('wrong')
    expect(await isStillSignedIn(app, open)).toBe(false)
    await giveMailbox(app, admin, mailbox.id, { userId: user.id })
    expect(await refusal(password)).toBe('wrong')
    const again = await make({}, personIn(user, 'User'))
    expect(await come(again.password)).toMatchObject({ who: { role: 'User' } })
    await removeMember(app, admin, user.id)
    expect(await refusal(again.password)).toBe('wrong')
  })

  test('the password of its person is set anew by a mailed link', async () => {
    await letRead(app, mailbox, admin.userId, 'given')
    const { password } = await make({}, admin)
    const token = 'x'.repeat(43)
    app.clock.advance({ seconds: 1 })
    const { email } = await app.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', admin.userId)
      .executeTakeFirstOrThrow()
    await app.db
      .insertInto('mailLinks')
      .values({
        ...{ tokenHash: hashToken(token), userId: admin.userId, email, purpose: 'reset-password' },
        ...{ createdAt: app.clock.now(), expiresAt: new Date(app.clock.now().getTime() + 60_000) },
        ...{ usedAt: null, browserHash: null, passwordHash: null, firstName: null, lastName: null },
      } as never)
      .execute()
    const open = await signedIn(password)
    await setNewPassword(app, { password: 'Night-Train-8!', session: token }, '127.0.0.1')
    expect(await refusal(password)).toBe('wrong')
    expect(await isStillSignedIn(app, open)).toBe(false)
    expect(await listAppPasswords(app, admin, mailbox.id)).toEqual([])
    expect(await come((await make({}, admin)).password)).toMatchObject({ mailboxId: mailbox.id })
  })
})

describe('the password of the holder', () => {
  test('opens the mailbox until it is changed, and nobody else’s does', async () => {
    await letRead(app, mailbox, admin.userId, 'given')
    await app.db
      .updateTable('users')
      .set({ passwordHash: quickHash('Other-Train-7!') })
      .where('id', '=', admin.userId)
      .execute()
    expect(await refusal('Other-Train-7!')).toBe('wrong')
    const open = await signedIn(HOLDERS_PASSWORD)
    expect(open).toMatchObject({ appPasswordId: null, who: { userId: holder.id } })
    const { password } = await make()
    const withAppPassword = await signedIn(password)
    await app.db
      .updateTable('users')
      .set({ passwordHash: quickHash('Night-Train-8!') })
      .where('id', '=', holder.id)
      .execute()
    expect(await isStillSignedIn(app, open)).toBe(false)
    expect(await isStillSignedIn(app, withAppPassword)).toBe(true)
    expect(await refusal(HOLDERS_PASSWORD)).toBe('wrong')
    expect(await refusal('Night-Train-8!')).toBe('signed in')
  })

  test('opens nothing to mail programs where the workspace asks for app passwords, and its person is told once', async () => {
    const open = await signedIn(HOLDERS_PASSWORD)
    const { password } = await make()
    expect(await getProgramRules(app, admin)).toEqual({ needsAppPasswords: false })
    await saveProgramRules(app, admin, { needsAppPasswords: true })
    expect(await isStillSignedIn(app, open)).toBe(false)
    for (const _ of [1, 2])
      expect(await come(HOLDERS_PASSWORD)).toMatchObject({
        refused: 'own-password',
        message: expect.stringMatching(/need an app password/),
      })
    expect(await come('Wrong-Train-1!')).toMatchObject({ refused: 'wrong' })
    const told = (await listHeldMails(app)).filter(({ to }) => to === mailbox.email)
    expect(told.map(({ subject }) => subject)).toEqual([
      `A mail program needs an app password for ${mailbox.email}`,
    ])
    expect((await signedIn(password)).mailboxId).toBe(mailbox.id)
    const elsewhere = await aMailbox(app)
    await aHolder(app, elsewhere)
    await signedIn(HOLDERS_PASSWORD, { login: elsewhere.email })
  })

  test('that is refused for a second factor and then for the rule of the workspace is told of in one mail', async () => {
    const owner = {
      ...{ _id: holder.id, email: mailbox.email, firstName: 'Ada', sessionId: newId() },
      endOthers: async () => {},
    }
    const { secret } = await beginTotpFor(app, owner)
    await confirmTotpFor(app, owner, codeOf(app, secret))
    const subjects = async () =>
      (await listHeldMails(app))
        .filter(({ to, subject }) => to === mailbox.email && /app password/.test(subject))
        .map(({ subject }) => subject)
    const once = [`A mail program needs an app password for ${mailbox.email}`]
    expect(await refusal(HOLDERS_PASSWORD)).toBe('factor')
    expect(await subjects()).toEqual(once)
    await saveProgramRules(app, admin, { needsAppPasswords: true })
    expect(await refusal(HOLDERS_PASSWORD)).toBe('own-password')
    expect(await subjects()).toEqual(once)
    await removeTotpOf(app, owner)
    expect(await refusal(HOLDERS_PASSWORD)).toBe('own-password')
    expect(await subjects()).toEqual([...once, ...once])
  })

  test('a thousand wrong ones of one network shut nobody out elsewhere, and no app password anywhere', async () => {
    const { password } = await make()
    const answers: string[] = []
    for (let n = 0; n < 1_000; n++)
      answers.push(await refusal(`Wrong-${n}!`, { ip: '198.51.100.7' }))
    expect(new Set(answers.slice(0, 10))).toEqual(new Set(['wrong']))
    expect(new Set(answers.slice(10))).toEqual(new Set(['throttled']))
    expect(await refusal(HOLDERS_PASSWORD, { ip: '198.51.100.7' })).toBe('throttled')
    expect(await refusal(HOLDERS_PASSWORD, { ip: '203.0.113.9' })).toBe('signed in')
    expect(await refusal(password, { ip: '198.51.100.7' })).toBe('signed in')
    expect(app.logged('sign-in-throttled').length).toBeGreaterThan(0)
  })

  test('a program that repeats one wrong password uses up no tries', async () => {
    for (let n = 0; n < 50; n++) expect(await refusal('Old-Password-1!')).toBe('wrong')
    expect(await refusal(HOLDERS_PASSWORD)).toBe('signed in')
  })

  test('an unknown address is throttled as a known one', async () => {
    const login = `nobody@${mailbox.email.split('@')[1]}`
    for (let n = 0; n < 10; n++) expect(await refusal(`Wrong-${n}!`, { login })).toBe('wrong')
    expect(await refusal('Wrong-10!', { login })).toBe('throttled')
  })
})

describe('the use of a password', () => {
  test('is kept to the minute, with place and program', async () => {
    const { password } = await make()
    const first = app.clock.now().toISOString()
    const open = await signedIn(password, { ip: '::ffff:192.0.2.1' })
    await noteProgram(app, open, { name: 'Thunder\u202ebird', version: '153.0', os: 'Linux\r\n' })
    app.clock.advance({ seconds: 59 })
    await signedIn(password)
    const used = { lastUsedAt: first, lastUsedIp: '192.0.2.1', lastUsedFor: 'imap' }
    const lastProgram = 'Thunderbird 153.0 on Linux'
    expect(await listAppPasswords(app, who, mailbox.id)).toMatchObject([{ ...used, lastProgram }])
    app.clock.advance({ seconds: 1 })
    await signedIn(password, { ip: '192.0.2.99', scope: 'smtp' })
    expect(await listAppPasswords(app, who, mailbox.id)).toMatchObject([
      { lastUsedIp: '192.0.2.99', lastUsedFor: 'smtp', lastProgram },
    ])
    expect(app.logged('program-signed-in')).toContainEqual(
      expect.objectContaining({ mailboxId: mailbox.id, userId: holder.id, scope: 'imap' }),
    )
  })

  test('from many new networks at once lets each in, and the oldest are forgotten', async () => {
    const { password } = await make()
    const from = (second: number) => Array.from({ length: 100 }, (_, n) => `10.${second}.${n}.1`)
    for (const second of [0, 1, 2, 3]) {
      app.clock.advance({ minutes: 2 })
      await Promise.all(from(second).map((ip) => signedIn(password, { ip })))
    }
    app.clock.advance({ minutes: 2 })
    await app.db.transaction().execute(async (tx) => {
      // As another sign-in has them that forgets the same ones.
      await tx.selectFrom('programUses').select('network').forUpdate().execute()
      await signedIn(password, { ip: '10.8.0.1' })
    })
    app.clock.advance({ minutes: 2 })
    await signedIn(password, { ip: '10.9.0.1' })
    const { count } = await app.db
      .selectFrom('programUses')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('mailboxId', '=', mailbox.id)
      .executeTakeFirstOrThrow()
    expect(count).toBe(100)
  })

  test('from a new network is mailed once, and logged', async () => {
    const { password, _id } = await make()
    const told = async () => {
      app.clock.advance({ minutes: 2 })
      await Promise.all([mailNewPrograms(app), mailNewPrograms(app)])
      const mails = await listHeldMails(app)
      return mails.filter(({ to }) => to === mailbox.email).map(({ text }) => text)
    }
    const open = await signedIn(password)
    await mailNewPrograms(app)
    await noteProgram(app, open, { name: 'Thunderbird' })
    const [mail = ''] = await told()
    for (const part of ['Thunderbird', '192.0.2.1', 'My phone', mailbox.email, '#app-passwords'])
      expect(mail).toContain(part)
    await signedIn(password, { ip: '192.0.2.77' })
    expect(await told()).toHaveLength(1)
    await signedIn(password, { ip: '2001:db8:1::1' })
    await signedIn(password, { ip: '2001:db8:1:ffff::1' })
    app.clock.advance({ seconds: 1 })
    await signedIn(HOLDERS_PASSWORD)
    expect(await told()).toHaveLength(3)
    expect(await listProgramUses(app, who, mailbox.id)).toMatchObject([
      { name: null, ip: '192.0.2.1' },
      { name: 'My phone', ip: '2001:db8:1::1', program: '' },
      { name: 'My phone', ip: '192.0.2.77', program: 'Thunderbird', scope: 'imap' },
    ])
    await letRead(app, mailbox, admin.userId, 'given')
    expect(await listProgramUses(app, admin, mailbox.id)).toEqual([])
    const logged = app.logged('program-network-new').filter(({ email }) => email === mailbox.email)
    expect(logged).toMatchObject([
      { appPasswordId: _id, network: '192.0.2.0/24' },
      { appPasswordId: _id, network: '2001:db8:1::/48' },
      { appPasswordId: null, network: '192.0.2.0/24' },
    ])
  })

  test('of a hostile program is one short line', () => {
    expect(programName({ name: '\u0000\u200b' })).toBe('')
    expect(programName({ version: '1' })).toBe('')
    const long = 'x'.repeat(1_000_000)
    expect(programName({ name: long, version: long, os: long }).length).toBeLessThan(110)
    expect(programName({ name: 'a\r\nb\u2028c' })).toBe('a b c')
  })
})
