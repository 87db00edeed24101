import { AppError } from '#contract/errors.ts'
import type { DraftDetails, Upload } from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { openMessage } from '../reading/get-message.ts'
import { findDraft } from './drafts-store.ts'
import { revisionOf } from './save-draft.ts'
import { toUpload } from './upload-file.ts'
import { findUploads } from './uploads-store.ts'

/** Of a draft from elsewhere nothing is known but itself. @throws NOT_EXISTS also for what is no draft. */
export const getDraft = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<DraftDetails> => {
  const message = await openMessage(app, who, mailboxId, messageId)
  if (!message.isDraft) throw new AppError('NOT_EXISTS')
  const place = { workspaceId: who.workspaceId, mailboxId }
  const row = await findDraft(app.db, place, { messageId })
  const found = await findUploads(app.db, place, row?.uploads ?? [])
  const byId = new Map(found.map((upload): [string, Upload] => [upload.id, toUpload(upload)]))
  return {
    draft: row?.key ?? messageId,
    revision: revisionOf(row),
    uploads: (row?.uploads ?? []).flatMap((id) => byId.get(id) ?? []),
    inReplyTo: row?.inReplyTo ?? null,
    forwardOf: row?.forwardOf ?? null,
    unfinished: { to: [], cc: [], bcc: [], ...row?.unfinished },
  }
}
