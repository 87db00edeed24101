/** The mailbox as it is stored, which is what every program and page must know in the end. */
import { expect } from 'vitest'
import type { TestApp } from '../../app.ts'

const flagsOf = {
  ...{ isRead: '\\Seen', isStarred: '\\Flagged', isAnswered: '\\Answered', isDraft: '\\Draft' },
  isDeleted: '\\Deleted',
} as const
type Flag = keyof typeof flagsOf

const foldersOf = (app: TestApp, mailboxId: string) =>
  app.db
    .selectFrom('folders')
    .select(['id', 'role', 'uidNext', 'uidValidity', 'highestModseq'])
    .where('mailboxId', '=', mailboxId)
    .execute()

const messagesOf = (app: TestApp, mailboxId: string) =>
  app.db
    .selectFrom('messages')
    .select(['id', 'folderId', 'uid', 'keywords'])
    .select(Object.keys(flagsOf) as Flag[])
    .where('mailboxId', '=', mailboxId)
    .orderBy('uid')
    .execute()

export type Stored = {
  /** `uid flags` in order, as programs know them; by the name of the folder in capitals. */
  programs: Map<string, string[]>
  /** As a page knows it. */
  page: Record<string, string>
}

export const readStored = async (app: TestApp, mailboxId: string): Promise<Stored> => {
  const messages = await messagesOf(app, mailboxId)
  const stored: Stored = { programs: new Map(), page: {} }
  for (const { id, role } of await foldersOf(app, mailboxId)) {
    const here = messages.filter(({ folderId }) => folderId === id)
    const unread = here.filter(({ isRead }) => !isRead).length
    stored.page[id] = `${here.length} ${unread}`
    stored.programs.set((role ?? id).toUpperCase(), here.map(lineOf))
  }
  return stored
}

const lineOf = (row: Record<Flag, boolean> & { uid: number; keywords: string[] }): string => {
  const system = Object.entries(flagsOf).flatMap(([flag, name]) =>
    row[flag as Flag] ? [name] : [],
  )
  return `${row.uid} ${[...system, ...row.keywords].toSorted().join(' ')}`.trim()
}

/** Looks again and again: no uid comes back for another message, and uids and modseqs only grow. */
export const watchGrowth = (app: TestApp, mailboxId: string) => {
  const folders = new Map<string, { uidNext: number; uidValidity: number; highestModseq: number }>()
  const given = new Map<string, string>()
  return {
    numbers: async (): Promise<void> => {
      for (const folder of await foldersOf(app, mailboxId)) {
        const before = folders.get(folder.id)
        folders.set(folder.id, folder)
        if (before === undefined) continue
        expect(folder.uidNext).toBeGreaterThanOrEqual(before.uidNext)
        expect(folder.highestModseq).toBeGreaterThanOrEqual(before.highestModseq)
        expect(folder.uidValidity).toBe(before.uidValidity)
      }
    },
    uids: async (): Promise<void> => {
      for (const { id, folderId, uid } of await messagesOf(app, mailboxId)) {
        const place = `${folderId} ${uid}`
        expect(given.get(place) ?? id, place).toBe(id)
        given.set(place, id)
      }
    },
  }
}
