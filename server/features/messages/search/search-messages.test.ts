import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { foldLetters } from '#contract/mail/fold-letters.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { addAlias } from '#server/features/mailboxes/aliases.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aLetter, type Letter } from '#test-world/mail/letter.ts'
import { aMailReader, aMember, anActiveDomain } from '#test-world/members.ts'
import { changeMessages } from '../change-messages.ts'
import { createFolder } from '../own-folders.ts'
import { receiveMessage } from '../receive-message.ts'
import { foldOldTexts } from './fold-old-texts.ts'
import { searchConversations, searchMessages } from './search-messages.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ who, mailbox } = await aMailReader(app))
})

const come = async (...letters: Letter[]) => {
  for (const letter of letters) {
    app.clock.advance({ seconds: 1 })
    await aLetter(app, mailbox, letter)
  }
}
const comeWithFile = async (subject: string, from: string, text: string, file: string) => {
  app.clock.advance({ seconds: 1 })
  const disposition = `Content-Disposition: attachment; filename*=utf-8''${file.replaceAll(' ', '%20')}`
  const lines = [
    ...[`From: ${from}`, 'To: ada@example.com', `Subject: ${subject}`, 'MIME-Version: 1.0'],
    ...[
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      text,
    ],
    ...['--b', 'Content-Type: application/pdf', disposition, '', 'x', '--b--', ''],
  ]
  const raw = Buffer.from(lines.join('\r\n'))
  await receiveMessage(app, app.db, { raw, mailFrom: from, authentication: null }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
}
const search = (q: string, more: { folder?: string; cursor?: string; limit?: number } = {}) =>
  searchMessages(app, who, mailbox.id, { q, limit: 50, ...more })
const subjects = async (q: string, folder?: string) =>
  (await search(q, folder ? { folder } : {})).items.map(({ subject }) => subject)
const idOf = async (subject: string) =>
  (await search(`subject:"${subject}" in:anywhere`)).items[0]?._id ?? ''

test('words, phrases and fields find what they say, and nothing else', async () => {
  await come(
    {
      subject: 'The mill',
      from: 'Ada Lovelace <ada@engine.example>',
      body: 'It weaves flowers and leaves.',
    },
    {
      subject: 'Flowers',
      from: 'Grace <grace@navy.example>',
      body: 'Leaves and a mill of Ada Lovelace.',
    },
    {
      subject: 'Tea',
      to: '"Mill, John" <john@liberty.example>',
      body: 'Rechnung_2026-11.pdf for Grüße',
    },
  )
  const finds: [string, string[]][] = [
    ['mill', ['Tea', 'Flowers', 'The mill']],
    ['subject:mill', ['The mill']],
    ['"flowers and leaves"', ['The mill']],
    ['"leaves and flowers"', []],
    ['from:lovelace', ['The mill']],
    ['from:engine.example', ['The mill']],
    ['from:ada@engine', ['The mill']],
    ['to:liberty', ['Tea']],
    ['mill -flowers', ['Tea']],
    ['mill from:grace -tea', ['Flowers']],
    ['grüße', ['Tea']],
    ['GRÜSSE', ['Tea']],
    ['grusse', ['Tea']],
    ['leav', ['Flowers', 'The mill']],
  ]
  for (const [q, found] of finds) expect(await subjects(q), q).toEqual(found)
})

test('accents are no difference, in what is typed and in what was written', async () => {
  await come(
    { subject: 'Fahrplan Zürich', from: 'José Gómez <jg@rail.example>', body: 'Weiße Fläche' },
    { subject: 'Zurich timetable', body: 'a naive resume' },
    { subject: 'Ein naïves Résumé', body: 'Łódź, Zu\u0308rich' },
  )
  const finds: [string, string[]][] = [
    ['zurich', ['Ein naïves Résumé', 'Zurich timetable', 'Fahrplan Zürich']],
    ['Zürich', ['Ein naïves Résumé', 'Zurich timetable', 'Fahrplan Zürich']],
    ['"fahrplan zurich"', ['Fahrplan Zürich']],
    ['züri', ['Ein naïves Résumé', 'Zurich timetable', 'Fahrplan Zürich']],
    ['naïve resumé', ['Ein naïves Résumé', 'Zurich timetable']],
    ['from:gomez', ['Fahrplan Zürich']],
    ['weisse', ['Fahrplan Zürich']],
    ['zurich -zürich', []],
    ['lodz', ['Ein naïves Résumé']],
    // Parts of words, too.
    ['urich', ['Zurich timetable', 'Fahrplan Zürich']],
    ['ahrplän', ['Fahrplan Zürich']],
  ]
  for (const [q, found] of finds) expect(await subjects(q), q).toEqual(found)
  expect((await search('Zürich')).words).toEqual(['zurich'])
})

test('mail of before is found as it was, and without accents once the loop has passed', async () => {
  await come({ subject: 'Grüße aus Zürich' }, { subject: 'Plain one' })
  await sql`
    update message_texts t set head = lower(m.subject), search = setweight(to_tsvector('simple', words_of(m.subject)), 'A')
    from messages m where m.id = t.message_id and m.mailbox_id = ${mailbox.id}`.execute(app.db)
  await sql`insert into text_folding values ('ffffffff-ffff-ffff-ffff-ffffffffffff')`.execute(
    app.db,
  )
  expect(await subjects('zürich')).toEqual(['Grüße aus Zürich'])
  expect(await subjects('zurich')).toEqual([])
  // One that is changed just now is not waited for, and not forgotten.
  await app.db.transaction().execute(async (tx) => {
    await sql`select from message_texts where mailbox_id = ${mailbox.id} for update`.execute(tx)
    await foldOldTexts(app)
  })
  expect(await subjects('zurich')).toEqual([])
  for (let n = 0; n < 3; n++) await foldOldTexts(app)
  const { rows } = await sql`select from text_folding`.execute(app.db)
  expect(rows).toEqual([])
  for (const q of ['zürich', 'zurich', 'subject:"grusse aus"', 'urich'])
    expect(await subjects(q), q).toEqual(['Grüße aus Zürich'])
})

test('the database folds letters as the browser does', async () => {
  const letters = Array.from({ length: 0x2000 }, (_, n) => String.fromCodePoint(n + 1))
    .concat('한국어', 'が', 'हिन्दी', 'ẞß', 'Å')
    .filter((letter) => !/\p{Cs}|\p{Cn}/u.test(letter))
  const { rows } = await sql<{ folded: string }>`
    select fold_letters(letter) as folded from unnest(${letters}::text[]) with ordinality as each (letter, n) order by n`.execute(
    app.db,
  )
  expect(rows.map(({ folded }) => folded)).toEqual(letters.map(foldLetters))
})

test('OR, ages, sizes and names of files find what they say', async () => {
  await come({ subject: 'old red' })
  app.clock.advance({ days: 40 })
  await comeWithFile(
    'with file',
    'plan@x.example',
    `blue ${'and so on '.repeat(40)}`,
    '%C3%9Cbersicht plan.pdf',
  )
  await comeWithFile('short file', 'eve@x.example', 'no', 'budget.xls')
  await come({ subject: 'red plan.pdf', body: 'no '.repeat(1_000) })
  const finds: [string, string[]][] = [
    ['red OR blue', ['red plan.pdf', 'with file', 'old red']],
    ['subject:old OR from:plan', ['with file', 'old red']],
    ['red OR blue -old', ['red plan.pdf', 'with file']],
    ['older_than:1m', ['old red']],
    ['newer_than:7d', ['red plan.pdf', 'short file', 'with file']],
    ['larger:2k', ['red plan.pdf']],
    ['smaller:2k red', ['old red']],
    ['filename:plan', ['with file']],
    ['filename:ubersicht', ['with file']],
    ['filename:plan.pdf', ['with file']],
    ['filename:pdf', ['with file']],
    ['filename:blue', []],
    ['filename:no', []],
    ['filename:eve', []],
    ['filename:budget', ['short file']],
    ['has:attachment -filename:xls', ['with file']],
  ]
  for (const [q, found] of finds) expect(await subjects(q), q).toEqual(found)
  expect((await search('foo:bar')).notes).toEqual(['“foo:” is not known.'])
})

test('found messages of a conversation are one row, at its newest, whatever finds them', async () => {
  for (let n = 0; n < 3; n++)
    await come(
      { subject: `Handelsregister ${n}`, messageId: `m${n}@x.example` },
      {
        subject: `Re: Handelsregister ${n}`,
        from: 'Grace <grace@navy.example>',
        headers: [`In-Reply-To: <m${n}@x.example>`],
      },
    )
  const page = (q: string, cursor?: string) =>
    searchConversations(app, who, mailbox.id, { q, limit: 2, ...(cursor ? { cursor } : {}) })
  for (const q of ['handelsregister', 'register', '-nothing', 'is:unread']) {
    const first = await page(q)
    expect(
      first.items.map(({ subject, found }) => [subject, found.length]),
      q,
    ).toEqual([
      ['Re: Handelsregister 2', 2],
      ['Re: Handelsregister 1', 2],
    ])
    expect(first.items[0]?.people).toHaveLength(2)
    const rest = await page(q, first.nextCursor ?? '')
    expect(
      rest.items.map(({ subject }) => subject),
      q,
    ).toEqual(['Re: Handelsregister 0'])
    expect(rest.nextCursor).toBeNull()
  }
  const { items } = await page('from:grace')
  expect(items.map(({ found, people }) => [found.length, people.length])).toEqual([
    [1, 1],
    [1, 1],
  ])
})

test('conversations behind a long one are found, by what has too many hits to sort', async () => {
  await come({ subject: 'First' }, { subject: 'Second' })
  const answers = Array.from({ length: 30 }, (_, n) => ({
    subject: 'Re: Long',
    messageId: `long${n}@x.example`,
    headers: n === 0 ? [] : [`In-Reply-To: <long${n - 1}@x.example>`],
  }))
  await come(...answers)
  for (const q of ['-nothing', 'is:unread', 'in:inbox', '-nothing in:inbox']) {
    const asked = { q, limit: 2 }
    const first = await searchConversations(app, who, mailbox.id, asked)
    const found = first.items.map((item) => [item.subject, item.found.length])
    expect(found, q).toEqual([
      ['Re: Long', 30],
      ['Second', 1],
    ])
    const cursor = first.nextCursor ?? ''
    const rest = await searchConversations(app, who, mailbox.id, { ...asked, cursor })
    expect(
      rest.items.map(({ subject }) => subject),
      q,
    ).toEqual(['First'])
    expect(rest.nextCursor).toBeNull()
  }
})

test('from:me and to:me are the addresses of the mailbox, its aliases too', async () => {
  const [, at] = mailbox.email.split('@')
  const alias = await addAlias(app, who, mailbox.id, { email: `countess@${at}` })
  await come(
    { subject: 'Mine', from: `Ada <${mailbox.email}>`, to: 'john@liberty.example' },
    {
      subject: 'To me',
      from: 'Me <me@navy.example>',
      to: `Grace <grace@navy.example>, ${mailbox.email}`,
    },
    { subject: 'To the alias', from: 'grace@navy.example', to: alias.email },
  )
  expect(await subjects('from:me')).toEqual(['Mine'])
  expect(await subjects('to:me')).toEqual(['To the alias', 'To me'])
  expect(await subjects('to:me -from:grace')).toEqual(['To me'])
})

test('numbers, addresses and names of files are found in a text as they are typed', async () => {
  const body =
    'INV-2026-001: 3.14 EUR for plan_v2.pdf, see https://shop.example/a-77 or ada@engine.example.'
  await come({ subject: 'Bill', body }, { subject: 'No bill', body: 'INV 2025 001 for plan.pdf' })
  for (const q of [
    ...['INV-2026-001', '2026-001', '"inv-2026-001"', '3.14', 'plan_v2.pdf', 'v2'],
    ...['https://shop.example/a-77', 'shop.example', 'ada@engine.example', 'engine.example'],
  ])
    expect(await subjects(q), q).toEqual(['Bill'])
})

test('what has no such word is found by its parts, in subject and people', async () => {
  await come({
    subject: 'Handelsregister',
    from: 'Ada <ada@analytical.example>',
    body: 'Zahnradwerk',
  })
  for (const q of ['register', 'alytic', 'from:lytical']) {
    const { items, isByParts } = await search(q)
    expect([items.length, isByParts], q).toEqual([1, true])
  }
  for (const q of ['radwerk', 'xx', '%%%', '___', 'register -zzz'])
    expect((await search(q)).items, q).toEqual([])
  expect((await search('handels')).isByParts).toBe(false)
})

test('parts of words are looked for where the search says', async () => {
  await come(
    { subject: 'Handelsregister', from: 'Ada <ada@analytical.example>' },
    { subject: 'Analytical', from: 'Grace <grace@navy.example>', to: 'eve@analytical.example' },
  )
  const finds: [string, string[]][] = [
    ['nalytic', ['Analytical', 'Handelsregister']],
    ['from:nalytic', ['Handelsregister']],
    ['from:nalytic register', ['Handelsregister']],
    ['from:nalytic race', []],
    ['to:nalytic', ['Analytical']],
    ['subject:nalytic', ['Analytical']],
    ['from:nalytic OR larger:9M', ['Handelsregister']],
  ]
  for (const [q, found] of finds) expect(await subjects(q), q).toEqual(found)
})

test('OR joins words, people and conditions, and everything else must hold', async () => {
  await come(
    { subject: 'Long', from: 'grace@navy.example', body: 'x'.repeat(20_000) },
    { subject: 'Mill', from: 'ada@engine.example' },
    { subject: 'Loom', from: 'ada@engine.example' },
    { subject: 'Other', from: 'eve@x.example' },
    { subject: 'Thrown', from: 'eve@x.example' },
  )
  const change = async (subject: string, what: object) =>
    changeMessages(app, who, mailbox.id, { messages: [await idOf(subject)], ...what })
  await change('Thrown', { delete: true })
  await change('Other', { isRead: true })
  const finds: [string, string[]][] = [
    ['larger:10k OR from:ada', ['Loom', 'Mill', 'Long']],
    ['from:ada OR larger:10k', ['Loom', 'Mill', 'Long']],
    ['from:ada mill', ['Mill']],
    ['from:ada mill OR loom', ['Loom', 'Mill']],
    ['from:ada larger:10k OR mill', ['Mill']],
    ['is:read OR larger:10k', ['Other', 'Long']],
    ['in:trash OR mill', ['Thrown', 'Mill']],
    ['-from:ada OR larger:10k', ['Other', 'Long']],
    ['from:me OR is:read', ['Other']],
  ]
  for (const [q, found] of finds) expect(await subjects(q), q).toEqual(found)
  const { items } = await searchConversations(app, who, mailbox.id, {
    ...{ q: 'larger:10k OR from:ada', limit: 50 },
  })
  expect(items.map(({ subject }) => subject)).toEqual(['Loom', 'Mill', 'Long'])
})

test('conditions: read, starred, files, days and folders', async () => {
  const file = 'Content-Disposition: attachment; filename="plan.txt"'
  await come({ subject: 'old one' })
  app.clock.advance({ days: 10 })
  await come(
    { subject: 'with file', headers: [file] },
    { subject: 'thrown one' },
    { subject: 'kept one' },
  )
  const own = await createFolder(app, who, mailbox.id, 'To do')
  const change = (subject: string, what: object) =>
    idOf(subject).then((id) => changeMessages(app, who, mailbox.id, { messages: [id], ...what }))
  await change('thrown one', { delete: true })
  await change('kept one', { folder: own._id, isRead: true, isStarred: true })
  const day = app.clock.now().toISOString().slice(0, 10)
  const finds: [string, string[]][] = [
    ['one', ['kept one', 'old one']],
    ['one in:anywhere', ['kept one', 'thrown one', 'old one']],
    ['in:trash', ['thrown one']],
    ['in:"to do"', ['kept one']],
    ['in:nowhere', []],
    ['is:starred', ['kept one']],
    ['is:unread', ['with file', 'old one']],
    ['is:read one', ['kept one']],
    ['has:attachment', ['with file']],
    ['plan', ['with file']],
    [`one before:${day}`, ['old one']],
    [`after:${day}`, ['kept one', 'with file']],
    ['one -kept', ['old one']],
  ]
  for (const [q, found] of finds) expect(await subjects(q), q).toEqual(found)
  expect(await subjects('one', 'inbox')).toEqual(['old one'])
  expect(await subjects('one', 'trash')).toEqual(['thrown one'])
  expect((await search('kept')).items[0]?.folder).toBe(own._id)
  await expect(search('one', { folder: newId() })).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('pages meet without gap or overlap, however the mail was found', async () => {
  await come(...Array.from({ length: 7 }, (_, n) => ({ subject: `Handelsregister ${n}` })))
  for (const q of ['handelsregister', 'register', '-nothing', 'is:unread']) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await search(q, { limit: 3, ...(cursor ? { cursor } : {}) })
      seen.push(...page.items.map(({ subject }) => subject.slice(-1)))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen.join(''), q).toBe('6543210')
  }
  for (const cursor of ['nonsense', 'p', 'pnonsense'])
    await expect(search('x', { cursor })).rejects.toMatchObject({ type: 'VALIDATION' })
})

test('the preview shows where the word stands, and the words to mark are told', async () => {
  const body = `${'Dear all. '.repeat(40)}The needle is here. ${'Yours. '.repeat(40)}`
  await come({ subject: 'Hay', body })
  const { items, words } = await search('needle -straw')
  expect(items[0]?.preview).toContain('The needle is here.')
  expect(words).toEqual(['needle'])
})

test('another mailbox has nothing to find, and nobody searches what is not theirs', async () => {
  await come({ subject: 'secret' })
  const other = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, other, who.userId)
  expect((await searchMessages(app, who, other.id, { q: 'secret', limit: 5 })).items).toEqual([])
  expect((await searchMessages(app, who, other.id, { q: 'ecre', limit: 5 })).items).toEqual([])
  const stranger = await aMember(app)
  const asked = { q: 'secret', limit: 5 }
  await expect(searchMessages(app, stranger, mailbox.id, asked)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
})

test('mail of a hundred thousand different letters is taken and found', async () => {
  const letters = Array.from({ length: 100_000 }, (_, n) =>
    String.fromCodePoint(0x20000 + (n % 42_000)),
  )
  await come({ subject: 'long', body: `needle ${letters.join(' ')}` })
  expect(await subjects('needle')).toEqual(['long'])
})

test('however many searches of a workspace are under way, everybody else has the database', async () => {
  await come({ subject: 'The mill' })
  let searching: Promise<unknown> = Promise.resolve()
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table message_texts in access exclusive mode`.execute(tx)
    searching = Promise.all(Array.from({ length: 20 }, () => search('mill')))
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      return rows.length
    }
    await expect.poll(waiting).toBe(3)
    for (let n = 0; n < 40; n++) await somethingElse(app)
    expect(await waiting()).toBe(3)
  })
  await searching
})

/** Another user in another workspace. */
const somethingElse = ({ db }: TestApp) => db.selectFrom('users').select('id').limit(1).execute()
