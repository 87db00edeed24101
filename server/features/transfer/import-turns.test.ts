import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { cancelImport, listImports } from './edit-imports.ts'
import { runImports } from './run-imports.ts'
import { startImport, uploadPiece } from './upload-import.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

type Reader = { who: Who; mailboxes: Mailbox[] }
const aReader = async (count: number): Promise<Reader> => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  const mailboxes: Mailbox[] = []
  for (let n = 0; n < count; n++) {
    const mailbox = await aMailbox(app, { domain, localPart: `box${n}` })
    await letRead(app, mailbox, who.userId)
    mailboxes.push(mailbox)
  }
  return { who, mailboxes }
}

const upload = async (who: Who, mailbox: Mailbox, messages: number): Promise<string> => {
  const file = Buffer.from(
    Array.from(
      { length: messages },
      (_, n) => `From a@b.example Thu Nov 19 09:00:00 2026\r\nSubject: ${n}\r\n\r\nx\r\n\r\n`,
    ).join(''),
  )
  app.clock.advance({ seconds: 1 })
  const size = file.length
  const { _id } = await startImport(app, who, mailbox.id, {
    ...{ filename: 'mail.mbox', fingerprint: `${size}`, size },
  })
  await uploadPiece(app, who, mailbox.id, { importId: _id, start: 0, bytes: file })
  return _id
}
const state = async ({ who }: Reader, mailbox: Mailbox | undefined) => {
  const [found] = await listImports(app, who, mailbox?.id ?? '')
  return { state: found?.state, filed: found?.filed }
}
const batches = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    app.clock.advance({ seconds: 1 })
    let looks = 0
    await runImports(app, () => ++looks > 1)
  }
}

test('a large import lets others have their turn after each batch', async () => {
  const [them, us] = [await aReader(1), await aReader(1)]
  await upload(them.who, them.mailboxes[0] as Mailbox, 400)
  await upload(us.who, us.mailboxes[0] as Mailbox, 60)
  let looks = 0
  // Two batches of each at most; then it is a start like any other.
  await runImports(app, () => ++looks > 8)
  expect(await state(us, us.mailboxes[0])).toEqual({ state: 'done', filed: 60 })
  const theirs = await state(them, them.mailboxes[0])
  expect(theirs.state).toBe('running')
  expect(theirs.filed).toBeLessThan(400)
  await runImports(app)
  expect(await state(them, them.mailboxes[0])).toEqual({ state: 'done', filed: 400 })
})

test('a workspace with many imports has the turns of one', async () => {
  const [them, us] = [await aReader(6), await aReader(1)]
  for (const mailbox of them.mailboxes) await upload(them.who, mailbox, 51)
  await upload(us.who, us.mailboxes[0] as Mailbox, 101)
  await batches(6)
  expect(await state(us, us.mailboxes[0])).toEqual({ state: 'done', filed: 101 })
  await runImports(app)
})

test('one that is cancelled gives its turn up with the batch that it is at', async () => {
  const them = await aReader(1)
  const mailbox = them.mailboxes[0] as Mailbox
  const id = await upload(them.who, mailbox, 300)
  let looks = 0
  const cancelled: Promise<unknown>[] = []
  await runImports(app, () => {
    if (++looks === 2) cancelled.push(cancelImport(app, them.who, mailbox.id, id))
    return false
  })
  await Promise.all(cancelled)
  const left = await state(them, mailbox)
  expect(left.state).toBe('cancelled')
  expect(left.filed).toBeLessThan(300)
})
