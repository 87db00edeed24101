/** One save of a draft on the server, and what becomes of a draft that somebody else has changed meanwhile. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { SaveOutcome } from './draft-keeper.ts'
import { type DraftIdentity, forgetCopy, holdCopy, newDraft } from './local-copies.ts'
import { lostFiles, save, writingOf } from './send.ts'
import { passing } from './trouble.ts'
import type { UploadShelf } from './upload-shelf.ts'
import { type ComposeValues, finished } from './use-compose-fields.ts'

export const SAVED_APART =
  'This draft was changed or sent in another window. What you wrote here is saved as a separate draft.'

/** What a form knows of its draft besides what stands in it. */
export type OwnDraft = {
  identity: DraftIdentity
  /** The message in Drafts. */
  messageId: string | null
  /** It was being sent, and no answer came. */
  sendKey: string | null
  isFinished: boolean
  /** Other tabs may open it. */
  release: () => void
}

export type ToSave = { mailbox: Mailbox; values: ComposeValues; shelf: UploadShelf }
type Say = { setProblem: (problem: unknown) => void; setNote: (note: string) => void }

export async function saveOnce(
  given: ToSave,
  own: OwnDraft,
  say: Say,
  isSecondTry = false,
): Promise<SaveOutcome> {
  const { mailbox, values, shelf } = given
  own.identity = { ...own.identity, save: own.identity.save + 1 }
  let writing: Awaited<ReturnType<typeof writingOf>> | null = null
  try {
    writing = await writingOf(mailbox, finished(values), shelf, own.identity)
    const saved = await save(mailbox, writing)
    own.messageId = saved._id
    say.setProblem(null)
    return 'saved'
  } catch (error) {
    const trouble = passing(error)
    if (trouble) {
      say.setProblem(error)
      return { afterSeconds: trouble.afterSeconds }
    }
    const isChanged = error instanceof ApiError && error.type === 'DRAFT_CHANGED'
    const lost = lostFiles(error, writing)
    if (!isSecondTry && isChanged) {
      becomeNewDraft(mailbox, own)
      say.setNote(SAVED_APART)
      return saveOnce(given, own, say, true)
    }
    if (!isSecondTry && lost.length > 0 && lost.every((id) => shelf.lost(id)))
      return saveOnce(given, own, say, true)
    say.setProblem(error)
    return 'refused'
  }
}

/** Its key is that of another draft by now. */
export function becomeNewDraft(mailbox: Mailbox, own: OwnDraft): void {
  void forgetCopy(mailbox._id, own.identity.draft)
  own.release()
  own.identity = newDraft()
  own.messageId = null
  own.release = holdCopy(mailbox._id, own.identity.draft)
}
