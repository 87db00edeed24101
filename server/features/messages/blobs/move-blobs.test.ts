import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { fileBlobs } from '#server/storage/blobs/blobs.ts'
import { HEADER_BYTES, pathOfSegment, placeOf } from '#server/storage/blobs/segment-file.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMailReader } from '#test-world/members.ts'
import { deleteMessage } from '../change-message.ts'
import { getRawMessage } from '../get-message.ts'
import { receiveMessage } from '../receive-message.ts'
import { sweepBlobs } from './sweep-blobs.ts'

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

/** Files the mail as versions before segments did: each blob is a file. */
const comeAsBefore = async (subject: string): Promise<{ id: string; raw: Buffer }> => {
  const raw = Buffer.from(letterText({ subject }))
  const blobs = { ...app.blobs, ...fileBlobs(join(app.config.dataDir, 'blobs')) }
  const old = { ...app, blobs }
  await receiveMessage(old, app.db, { raw, mailFrom: 'eve@example.net', authentication: null }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
  const { id } = await rowOf(subject)
  return { id, raw }
}
const rowOf = (subject: string) =>
  app.db
    .selectFrom('messages')
    .select(['id', 'blob', 'modseq'])
    .where('mailboxId', '=', mailbox.id)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
const files = async () => {
  let count = 0
  for await (const _ of app.blobs.list()) count++
  return count
}
/** A day after everything so far; nobody appends to its segments any more. */
const nextDay = async () => {
  app.clock.set(new Date(Math.max(Date.now(), app.clock.now().getTime()) + 25 * 3_600_000))
  await app.blobs.close()
}
const bytesOf = async (id: string) => {
  const parts: Buffer[] = []
  for await (const piece of (await getRawMessage(app, who, mailbox.id, id)).pieces())
    parts.push(piece)
  return Buffer.concat(parts)
}

test('the files of before move into a segment, byte for byte, and go a day later', async () => {
  const kept = await comeAsBefore('Kept')
  const deleted = await comeAsBefore('Deleted')
  await deleteMessage(app, who, mailbox.id, deleted.id)
  await deleteMessage(app, who, mailbox.id, deleted.id)
  const before = await rowOf('Kept')
  await nextDay()
  await sweepBlobs(app)
  const after = await rowOf('Kept')
  expect(placeOf(before.blob)).toBe(null)
  expect(placeOf(after.blob)).not.toBe(null)
  expect(after.modseq).toBe(before.modseq)
  const [tombstone] = await app.db
    .selectFrom('tombstones')
    .select('blob')
    .where('mailboxId', '=', mailbox.id)
    .where('blob', 'is not', null)
    .execute()
  expect(await app.blobs.get(tombstone?.blob ?? '')).toEqual(deleted.raw)
  expect(placeOf(tombstone?.blob ?? '')).not.toBe(null)
  expect(await files()).toBe(2)
  await nextDay()
  await sweepBlobs(app)
  expect(await files()).toBe(0)
  expect(await bytesOf(kept.id)).toEqual(kept.raw)
})

test('a message that is changed just now keeps its file until the next sweep', async () => {
  const { id, raw } = await comeAsBefore('Busy')
  await nextDay()
  await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('messages').select('id').where('id', '=', id).forUpdate().execute()
    await sweepBlobs(app)
  })
  expect(placeOf((await rowOf('Busy')).blob)).toBe(null)
  expect(await bytesOf(id)).toEqual(raw)
  await nextDay()
  await sweepBlobs(app)
  expect(placeOf((await rowOf('Busy')).blob)).not.toBe(null)
  expect(await bytesOf(id)).toEqual(raw)
})

test('what is left in a segment that is mostly unused moves, and the segment goes a day later', async () => {
  await nextDay()
  const raw = Buffer.from(letterText({ subject: 'Left' }))
  await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
  const { id, blob } = await rowOf('Left')
  const orphan = await app.blobs.put(Buffer.alloc(10_000))
  expect(placeOf(orphan)?.segment).toBe(placeOf(blob)?.segment)
  await nextDay()
  await sweepBlobs(app)
  expect(placeOf((await rowOf('Left')).blob)?.segment).not.toBe(placeOf(blob)?.segment)
  expect((await app.blobs.get(orphan)).length).toBe(10_000)
  await nextDay()
  expect(await sweepBlobs(app)).toBeGreaterThan(0)
  await expect(app.blobs.get(orphan)).rejects.toThrow()
  expect(await bytesOf(id)).toEqual(raw)
})

test('a damaged mail stays where it is, and the others of its segment move', async () => {
  await nextDay()
  for (const subject of ['Damaged', 'Whole'])
    await receiveMessage(
      app,
      app.db,
      { raw: Buffer.from(letterText({ subject })), mailFrom: '', authentication: null },
      [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
    )
  await app.blobs.put(Buffer.alloc(20_000))
  const [damaged, whole] = [await rowOf('Damaged'), await rowOf('Whole')]
  const place = placeOf(damaged.blob)
  const path = pathOfSegment(join(app.config.dataDir, 'blobs'), place?.segment ?? '')
  const at = (place?.offset ?? 0) + HEADER_BYTES
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(path, bytes)
  for (const _ of ['moves', 'removes what is unused']) {
    await nextDay()
    await sweepBlobs(app)
  }
  expect((await rowOf('Damaged')).blob).toBe(damaged.blob)
  expect(readFileSync(path)).toEqual(bytes)
  await expect(bytesOf(damaged.id)).rejects.toThrow()
  expect(placeOf((await rowOf('Whole')).blob)?.segment).not.toBe(place?.segment)
  expect(String(await bytesOf(whole.id))).toContain('Subject: Whole')
})
