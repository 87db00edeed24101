import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { createStore } from '#web/lib/store.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

export type UnsavedChanges = {
  /** Closes at once without changes, else asks. */
  requestClose: () => void
  /** Closes without asking: the changes are saved. */
  leave: () => void
  /** The dialog, to render beside the form. */
  question: ReactNode
}

/** What is asked before something is lost. */
export type LeavingWords = { title: string; description: string; confirmText: string }

/** Asks before a click beside the dialog, a link, the back button or a reload discards changes. */
export function useUnsavedChanges(
  isDirty: boolean,
  close: () => void = nothing,
  words: LeavingWords = discardWords,
): UnsavedChanges {
  const [isAsking, setIsAsking] = useState(false)
  const { isFirst, settle } = useUnsaved(isDirty)
  const leave = () => {
    settle()
    close()
  }
  return {
    leave,
    requestClose: () => (isDirty ? setIsAsking(true) : leave()),
    question: (
      <>
        {isFirst && <NavigationGuard words={words} />}
        <DiscardQuestion
          {...words}
          isOpen={isAsking}
          onStay={() => setIsAsking(false)}
          onDiscard={leave}
        />
      </>
    ),
  }
}

const nothing = () => {}
const discardWords: LeavingWords = {
  title: 'Discard what you entered?',
  description: 'It has not been saved yet.',
  confirmText: 'Discard',
}

/** The forms of the page with unsaved changes. */
const unsaved = new Set<symbol>()
const store = createStore()

/** The router allows one blocker: the first dirty form stands for all. */
function useUnsaved(isDirty: boolean): { isFirst: boolean; settle: () => void } {
  const [form] = useState(() => Symbol('form'))
  const settle = useCallback(() => {
    if (unsaved.delete(form)) store.changed()
  }, [form])
  useEffect(() => {
    if (!isDirty) return
    unsaved.add(form)
    store.changed()
    return settle
  }, [isDirty, form, settle])
  const isFirst = () => unsaved.values().next().value === form
  return { isFirst: store.use(isFirst, () => false), settle }
}

function NavigationGuard({ words }: { words: LeavingWords }) {
  const blocker = useBlocker(
    ({ nextLocation, historyAction }) =>
      unsaved.size > 0 &&
      // A list writes its search into the URL a moment after it was typed, and nothing is left by it.
      !(historyAction === 'REPLACE' && nextLocation.state?.isListPlace === true),
  )
  useBeforeUnload((event) => {
    if (unsaved.size > 0) event.preventDefault()
  })
  return (
    <DiscardQuestion
      {...words}
      isOpen={blocker.state === 'blocked'}
      onStay={() => blocker.reset?.()}
      onDiscard={() => {
        unsaved.clear()
        blocker.proceed?.()
        store.changed()
      }}
    />
  )
}

type DiscardQuestionProps = LeavingWords & {
  isOpen: boolean
  onStay: () => void
  onDiscard: () => void
}

function DiscardQuestion({ isOpen, onStay, onDiscard, ...words }: DiscardQuestionProps) {
  return (
    <ConfirmDialog
      {...words}
      isOpen={isOpen}
      onOpenChange={(opened) => !opened && onStay()}
      onConfirm={onDiscard}
    />
  )
}
