/**
 * Brings back what a mailbox had when a backup was made and has no more, into a folder 'Restored {day}', and touches nothing else. Run
 * again, it goes on: what is there already is left out.
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { mailboxIdAt, mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { hashesInMailbox } from '#server/features/messages/message-queries.ts'
import { type FormerMessage, refileMessages } from '#server/features/messages/refile-messages.ts'
import { noteAction, type Operator } from '#server/features/operators/operators.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { openBlobs } from '#server/storage/blobs/open-blobs.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import type { Database } from '#server/storage/database.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { blobsIn, readPackLists } from './packs.ts'
import type { SealedPlace } from './sealed-place.ts'
import { asDate, asTexts, type CopiedRow, rowsOf } from './table-rows-store.ts'

export type RestoredMailbox = { folder: string; restored: number; present: number; lost: number }

type World = Pick<App, 'config' | 'clock'> & { db: Database }

/** @throws NOT_EXISTS for an address that is no mailbox's here, STORAGE_FULL; StartError where it is in no backup; BackupDamaged */
export const restoreMailbox = async (
  app: World,
  operator: Operator,
  place: SealedPlace,
  id: string,
  address: string,
): Promise<RestoredMailbox> => {
  const mailbox = await mailboxRows(app.db)
    .where('id', 'in', mailboxIdAt(app.db, address.toLowerCase()))
    .executeTakeFirst()
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  const manifest = await readManifest(place, id)
  const former = await formerMail(place, manifest, address.toLowerCase())
  const at = { workspaceId: mailbox.workspaceId, mailboxId: mailbox.id }
  const folder = `Restored ${manifest.at.slice(0, 10)}`
  const present = await hashesInMailbox(app.db, at, [...former.keys()])
  const missing = new Map([...former].filter(([hash]) => !present.has(hash)))
  const { blobs, close } = await openBlobs(app.config, app.db, quiet)
  let restored = 0
  try {
    for await (const messages of inPortions(place, missing, folder)) {
      await refileMessages({ ...app, blobs }, at, messages)
      restored += messages.length
    }
  } finally {
    await close()
    await noteAction(app.db, app.clock.now(), operator, {
      ...{ verb: 'mailbox restore', workspaceId: at.workspaceId, subject: mailbox.email },
      detail: `${restored} messages from ${place.title} ${id}`,
    })
  }
  return { folder, restored, present: present.size, lost: missing.size - restored }
}

/** What it says is for the running Mailstead, not for the terminal. */
export const quiet = { onAway: () => {}, onBack: () => {}, onMissing: () => {} }

/** Its messages by the SHA-256 of their bytes; of equal ones one. @throws StartError where the backup has no such mailbox */
const formerMail = async (
  place: SealedPlace,
  manifest: Manifest,
  address: string,
): Promise<Map<string, CopiedRow & { path: string }>> => {
  const id = await mailboxInBackup(place, manifest, address)
  if (id === null) throw new StartError(`The backup has no mailbox ${address}.`)
  const paths = new Map<string, string>()
  for await (const row of rowsOf(place, manifest, 'folders'))
    if (row.mailbox_id === id) paths.set(row.id ?? '', row.role === 'inbox' ? '' : (row.name ?? ''))
  const former = new Map<string, CopiedRow & { path: string }>()
  for await (const row of rowsOf(place, manifest, 'messages'))
    if (row.mailbox_id === id)
      former.set(hashIn(row.blob ?? ''), { ...row, path: paths.get(row.folder_id ?? '') ?? '' })
  return former
}

const mailboxInBackup = async (
  place: SealedPlace,
  manifest: Manifest,
  address: string,
): Promise<string | null> => {
  for await (const row of rowsOf(place, manifest, 'mailboxes'))
    if (row.email === address) return row.id ?? null
  for await (const row of rowsOf(place, manifest, 'aliases'))
    if (row.email === address) return row.mailbox_id ?? null
  return null
}

const PORTION = { messages: 50, bytes: 20_000_000 }

async function* inPortions(
  place: SealedPlace,
  wanted: ReadonlyMap<string, CopiedRow & { path: string }>,
  folder: string,
): AsyncGenerator<FormerMessage[]> {
  const packOf = await readPackLists(place)
  const packs = new Set([...wanted.keys()].flatMap((hash) => packOf.get(hash) ?? []))
  const done = new Set<string>()
  let portion: FormerMessage[] = []
  let bytes = 0
  for (const pack of packs)
    for await (const blob of blobsIn(place, pack)) {
      const row = wanted.get(blob.hash)
      if (row === undefined || done.has(blob.hash)) continue
      done.add(blob.hash)
      portion.push(messageOf(row, blob.bytes, folder))
      bytes += blob.bytes.length
      if (portion.length < PORTION.messages && bytes < PORTION.bytes) continue
      yield portion
      ;[portion, bytes] = [[], 0]
    }
  if (portion.length > 0) yield portion
}

const messageOf = (
  row: CopiedRow & { path: string },
  raw: Buffer,
  folder: string,
): FormerMessage => ({
  raw,
  folder: row.path === '' ? folder : `${folder}/${row.path}`,
  isRead: row.is_read === 't',
  isStarred: row.is_starred === 't',
  isAnswered: row.is_answered === 't',
  keywords: asTexts(row.keywords),
  mailFrom: row.mail_from ?? '',
  date: asDate(row.date),
})
