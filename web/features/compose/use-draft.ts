/**
 * The draft behind the form: copied in this browser at once, saved on the server a moment later, and kept in both until the
 * end.
 */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useBeforeUnload } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { signedInUserId } from '#web/lib/api/session.ts'
import type { ComposeStart } from './compose-start.ts'
import { createDraftKeeper, type DraftKeeper, type SaveState } from './draft-keeper.ts'
import { deleteCopy, lockCopy, storeCopy } from './local-copies.ts'
import { type OwnDraft, saveOnce } from './save-once.ts'
import type { UploadShelf } from './upload-shelf.ts'
import type { ComposeValues } from './use-compose-fields.ts'

const KEEP_AFTER_MS = 250
type DraftOptions = {
  mailbox: Mailbox
  title: string
  start: ComposeStart
  /** Id of the opened message in Drafts. */
  draftId: string | undefined
  values: ComposeValues
  isDirty: boolean
  shelf: UploadShelf
}

export function useDraft(options: DraftOptions) {
  const { mailbox, start, values, isDirty } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const [state, setState] = useState<SaveState>('untouched')
  const [problem, setShownProblem] = useState<unknown>(null)
  const lastProblem = useRef<unknown>(null)
  const setProblem = (next: unknown) => {
    lastProblem.current = next
    setShownProblem(next)
  }
  const [note, setNote] = useState('')
  const [isStoredLocally, setIsStoredLocally] = useState(true)
  const own = useRef<OwnDraft>({
    identity: start.identity,
    messageId: options.draftId ?? null,
    sendKey: start.localCopy?.sendKey ?? null,
    isFinished: false,
    release: () => {},
  })
  const [owner] = useState(signedInUserId)
  const storeNow = () => storeLocally(latest.current, own.current, owner).then(setIsStoredLocally)
  const [keeper] = useState(() =>
    createDraftKeeper(
      () => saveOnce(latest.current, own.current, { setProblem, setNote }),
      (next) => !own.current.isFinished && setState(next),
    ),
  )
  useLifetime(mailbox._id, own, keeper, storeNow)
  // The writer may have got the mailbox back, or it may be active again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something about the mailbox changes
  useEffect(() => keeper.retry(), [mailbox])
  // A restored copy is not on the server yet.
  const isRestored = start.localCopy !== undefined
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes, is saved
  useEffect(() => {
    if (isFirst.current && !isRestored) {
      isFirst.current = false
      return
    }
    isFirst.current = false
    if (!isDirty && !isRestored && state === 'untouched') return
    keeper.changed()
    const timer = setTimeout(() => void storeNow(), KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [values])
  useEffect(() => {
    const storeWhenHidden = () => {
      if (document.visibilityState === 'hidden' && isDirty) void storeNow()
    }
    document.addEventListener('visibilitychange', storeWhenHidden)
    return () => document.removeEventListener('visibilitychange', storeWhenHidden)
  })
  useBeforeUnload((event) => {
    if (!isStoredLocally && isDirty && state !== 'saved') event.preventDefault()
  })
  return {
    state,
    problem,
    /** The last problem right after a save, before the next render. */
    problemNow: () => lastProblem.current,
    note,
    isStoredLocally,
    own: own.current,
    keeper,
    storeNow,
    setNote,
    /** The message is sent, saved or deleted: removes the copy in this browser. */
    finish: async () => {
      own.current.isFinished = true
      await deleteCopy(mailbox._id, own.current.identity.draft)
    },
  }
}

/** Keeps the draft locked by this tab while the form is open. */
function useLifetime(
  mailboxId: string,
  own: RefObject<OwnDraft>,
  keeper: DraftKeeper,
  storeNow: () => Promise<void>,
) {
  const latestStore = useRef(storeNow)
  useEffect(() => {
    const ownDraft = own.current
    ownDraft.release = lockCopy(mailboxId, ownDraft.identity.draft)
    const retry = () => keeper.retry()
    addEventListener('online', retry)
    return () => {
      removeEventListener('online', retry)
      if (ownDraft.isFinished) return ownDraft.release()
      void leave(mailboxId, ownDraft, keeper, latestStore.current)
    }
  }, [mailboxId, own, keeper])
}

const isSafe = (state: SaveState) => state === 'saved' || state === 'untouched'

/** The writer left the page: saves what the server accepts; the rest stays in this browser. */
async function leave(
  mailboxId: string,
  mine: OwnDraft,
  keeper: DraftKeeper,
  storeNow: () => Promise<void>,
): Promise<void> {
  if (isSafe(keeper.state())) await keeper.end()
  else {
    await storeNow()
    if (signedInUserId() !== null) await keeper.flush()
    await keeper.end()
  }
  if (isSafe(keeper.state())) await deleteCopy(mailboxId, mine.identity.draft)
  mine.release()
}

export type Draft = ReturnType<typeof useDraft>

/** Returns whether this browser stored the copy. */
async function storeLocally(
  { mailbox, title, values, shelf }: DraftOptions,
  own: OwnDraft,
  owner: string | null,
): Promise<boolean> {
  if (own.isFinished) return true
  // Pictures with data: URLs are in the text itself.
  const pictures = shelf.blobs().filter(([key]) => !key.startsWith('data:'))
  const { identity, sendKey } = own
  const known = shelf.known()
  const copy = { title, at: Date.now(), values: { ...values, known }, identity, pictures, sendKey }
  return storeCopy(mailbox._id, copy, owner).then(
    () => true,
    () => false,
  )
}
