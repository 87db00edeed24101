/** Minimal rows for counts and lists: records that were never checked, messages without a blob. */
import type { RecordState } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Domain, Mailbox } from './builders.ts'

type World = Pick<App, 'db'>

const purposes = ['ownership', 'spf', 'dkim', 'dmarc', 'mx'] as const

/** Required records in these states, and one recommended record. */
export const someRecords = async (
  { db }: World,
  domain: Domain,
  states: RecordState[],
  recommended: RecordState = 'waiting',
): Promise<void> => {
  for (const [position, state] of [...states, recommended].entries())
    await db
      .insertInto('domainRecords')
      .values({
        domainId: domain.id,
        workspaceId: domain.workspaceId,
        purpose: position < states.length ? (purposes[position] ?? 'mx') : 'mx',
        position,
        type: 'TXT',
        name: domain.name,
        value: 'x',
        ttl: 300,
        priority: null,
        isRequired: position < states.length,
        state,
        found: '[]',
        checkedAt: null,
        nextCheckAt: null,
        changedAt: null,
      })
      .execute()
}

/** A message in the inbox; `uid` must be unique there. */
export const aMessage = async (
  { db }: World,
  mailbox: Mailbox,
  given: { date: Date; uid: number; isDraft?: boolean },
): Promise<void> => {
  const folder = await db
    .selectFrom('folders')
    .select('id')
    .where('mailboxId', '=', mailbox.id)
    .where('role', '=', 'inbox')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('messages')
    .values({
      id: newId(),
      workspaceId: mailbox.workspaceId,
      mailboxId: mailbox.id,
      folderId: folder.id,
      modseq: given.uid,
      threadId: newId(),
      blob: 'a'.repeat(64),
      sizeBytes: 10,
      messageId: '',
      inReplyTo: null,
      references: '[]',
      subject: '',
      from: 'null',
      to: '[]',
      cc: '[]',
      bcc: '[]',
      preview: '',
      isRead: false,
      isStarred: false,
      isDraft: false,
      hasAttachments: false,
      authentication: null,
      mailFrom: '',
      searchText: '',
      ...given,
    })
    .execute()
}
