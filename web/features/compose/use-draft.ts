/** The draft behind the form: kept in this browser at once, on the server a moment later, and in both until it is finished. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useBeforeUnload } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { whoIsHere } from '#web/lib/local-store.ts'
import type { ComposeStart } from './compose-start.ts'
import { createDraftKeeper, type DraftKeeper, type SaveState } from './draft-keeper.ts'
import { forgetCopy, holdCopy, keepCopy } from './local-copies.ts'
import { type OwnDraft, saveOnce } from './save-once.ts'
import type { UploadShelf } from './upload-shelf.ts'
import type { ComposeValues } from './use-compose-fields.ts'

const KEEP_AFTER_MS = 250
type Given = {
  mailbox: Mailbox
  title: string
  start: ComposeStart
  /** The message in Drafts that was opened. */
  draftId: string | undefined
  values: ComposeValues
  isDirty: boolean
  shelf: UploadShelf
}

export function useDraft(given: Given) {
  const { mailbox, start, values, isDirty } = given
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
  })
  const [state, setState] = useState<SaveState>('untouched')
  const [problem, setShownProblem] = useState<unknown>(null)
  const lastProblem = useRef<unknown>(null)
  const setProblem = (next: unknown) => {
    lastProblem.current = next
    setShownProblem(next)
  }
  const [note, setNote] = useState('')
  const [isKept, setIsKept] = useState(true)
  const own = useRef<OwnDraft>({
    identity: start.identity,
    messageId: given.draftId ?? null,
    sendKey: start.kept?.sendKey ?? null,
    isFinished: false,
    release: () => {},
  })
  const [owner] = useState(whoIsHere)
  const keepHere = () => keepLocally(latest.current, own.current, owner).then(setIsKept)
  const [keeper] = useState(() =>
    createDraftKeeper(
      () => saveOnce(latest.current, own.current, { setProblem, setNote }),
      (next) => !own.current.isFinished && setState(next),
    ),
  )
  useLifetime(mailbox._id, own, keeper, keepHere)
  // It was taken away and given back, or is active again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something about the mailbox changes
  useEffect(() => keeper.retry(), [mailbox])
  // What was brought back is not on the server yet.
  const isBack = start.kept !== undefined
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes, is saved
  useEffect(() => {
    if (isFirst.current && !isBack) {
      isFirst.current = false
      return
    }
    isFirst.current = false
    if (!isDirty && !isBack && state === 'untouched') return
    keeper.changed()
    const timer = setTimeout(() => void keepHere(), KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [values])
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === 'hidden' && isDirty) void keepHere()
    }
    document.addEventListener('visibilitychange', hide)
    return () => document.removeEventListener('visibilitychange', hide)
  })
  useBeforeUnload((event) => {
    if (!isKept && isDirty && state !== 'saved') event.preventDefault()
  })
  return {
    state,
    problem,
    /** Right after a save, before anything is drawn again. */
    problemNow: () => lastProblem.current,
    note,
    isKept,
    own: own.current,
    keeper,
    keepHere,
    setNote,
    /** It is sent, saved or deleted: nothing of it stays here. */
    finish: async () => {
      own.current.isFinished = true
      await forgetCopy(mailbox._id, own.current.identity.draft)
    },
  }
}

/** The draft is this tab's as long as the form is open. */
function useLifetime(
  mailboxId: string,
  own: RefObject<OwnDraft>,
  keeper: DraftKeeper,
  keepHere: () => Promise<void>,
) {
  const keepLast = useRef(keepHere)
  useEffect(() => {
    const mine = own.current
    mine.release = holdCopy(mailboxId, mine.identity.draft)
    const retry = () => keeper.retry()
    addEventListener('online', retry)
    return () => {
      removeEventListener('online', retry)
      if (mine.isFinished) return mine.release()
      void leave(mailboxId, mine, keeper, keepLast.current)
    }
  }, [mailboxId, own, keeper])
}

const isSafe = (state: SaveState) => state === 'saved' || state === 'untouched'

/** The page was left: the server gets what it can, and what it does not get waits in this browser. */
async function leave(
  mailboxId: string,
  mine: OwnDraft,
  keeper: DraftKeeper,
  keepHere: () => Promise<void>,
): Promise<void> {
  if (isSafe(keeper.state())) await keeper.end()
  else {
    await keepHere()
    if (whoIsHere() !== null) await keeper.flush()
    await keeper.end()
  }
  if (isSafe(keeper.state())) await forgetCopy(mailboxId, mine.identity.draft)
  mine.release()
}

export type Draft = ReturnType<typeof useDraft>

/** @returns whether this browser keeps it. */
async function keepLocally(
  { mailbox, title, values, shelf }: Given,
  own: OwnDraft,
  owner: string | null,
): Promise<boolean> {
  if (own.isFinished) return true
  // Pictures that are data stand in the text itself.
  const pictures = shelf.blobs().filter(([key]) => !key.startsWith('data:'))
  const { identity, sendKey } = own
  const known = shelf.known()
  const copy = { title, at: Date.now(), values: { ...values, known }, identity, pictures, sendKey }
  return keepCopy(mailbox._id, copy, owner).then(
    () => true,
    () => false,
  )
}
