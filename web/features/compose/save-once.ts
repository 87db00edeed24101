/** Saves a draft on the server once, and as a new draft when another client has changed it meanwhile. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { SaveOutcome } from './draft-keeper.ts'
import { type DraftIdentity, deleteCopy, lockCopy, newDraft } from './local-copies.ts'
import { lostFiles, save, writingOf } from './send.ts'
import { passing } from './trouble.ts'
import type { UploadShelf } from './upload-shelf.ts'
import { type ComposeValues, withTypedEntries } from './use-compose-fields.ts'

export const SAVED_APART =
  'This draft was changed or sent in another window. What you wrote here is saved as a separate draft.'

/** What a form knows of its draft besides its content. */
export type OwnDraft = {
  identity: DraftIdentity
  /** Id of the message in Drafts. */
  messageId: string | null
  /** Set while the message is being sent without an answer from the server. */
  sendKey: string | null
  isFinished: boolean
  /** Unlocks the draft for other tabs. */
  release: () => void
}

export type ToSave = { mailbox: Mailbox; values: ComposeValues; shelf: UploadShelf }
type DraftReporter = { setProblem: (problem: unknown) => void; setNote: (note: string) => void }

export async function saveOnce(
  toSave: ToSave,
  own: OwnDraft,
  report: DraftReporter,
  isSecondTry = false,
): Promise<SaveOutcome> {
  const { mailbox, values, shelf } = toSave
  own.identity = { ...own.identity, save: own.identity.save + 1 }
  let writing: Awaited<ReturnType<typeof writingOf>> | null = null
  try {
    writing = await writingOf(mailbox, withTypedEntries(values), shelf, own.identity)
    const saved = await save(mailbox, writing)
    own.messageId = saved._id
    report.setProblem(null)
    return 'saved'
  } catch (error) {
    const temporary = passing(error)
    if (temporary) {
      report.setProblem(error)
      return { afterSeconds: temporary.afterSeconds }
    }
    const isChanged = error instanceof ApiError && error.type === 'DRAFT_CHANGED'
    const lost = lostFiles(error, writing)
    if (!isSecondTry && isChanged) {
      becomeNewDraft(mailbox, own)
      report.setNote(SAVED_APART)
      return saveOnce(toSave, own, report, true)
    }
    if (!isSecondTry && lost.length > 0 && lost.every((id) => shelf.markLost(id)))
      return saveOnce(toSave, own, report, true)
    report.setProblem(error)
    return 'refused'
  }
}

/** From now on the form saves a new draft under a new key. */
export function becomeNewDraft(mailbox: Mailbox, own: OwnDraft): void {
  void deleteCopy(mailbox._id, own.identity.draft)
  own.release()
  own.identity = newDraft()
  own.messageId = null
  own.release = lockCopy(mailbox._id, own.identity.draft)
}
