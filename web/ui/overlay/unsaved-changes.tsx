import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

type UnsavedChanges = {
  /** Closes at once when nothing was typed, else asks. */
  requestClose: () => void
  /** Closes without asking: what was typed is saved. */
  leave: () => void
  /** To be rendered beside the form. */
  question: ReactNode
}

/** Keeps what was typed from being lost by a click beside the dialog, a link, the back button or a reload. */
export function useUnsavedChanges(isDirty: boolean, close: () => void = nothing): UnsavedChanges {
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
        {isFirst && <NavigationGuard />}
        <DiscardQuestion isOpen={isAsking} onStay={() => setIsAsking(false)} onDiscard={leave} />
      </>
    ),
  }
}

const nothing = () => {}

/** The forms of the page that hold what is not saved. */
const unsaved = new Set<symbol>()
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The router asks one guard: the first form that has something to lose stands for all. */
function useUnsaved(isDirty: boolean): { isFirst: boolean; settle: () => void } {
  const [form] = useState(() => Symbol('form'))
  const settle = useCallback(() => {
    if (unsaved.delete(form)) tell()
  }, [form])
  useEffect(() => {
    if (!isDirty) return
    unsaved.add(form)
    tell()
    return settle
  }, [isDirty, form, settle])
  const isFirst = () => unsaved.values().next().value === form
  return { isFirst: useSyncExternalStore(listen, isFirst, () => false), settle }
}

function NavigationGuard() {
  const blocker = useBlocker(() => unsaved.size > 0)
  useBeforeUnload((event) => {
    if (unsaved.size > 0) event.preventDefault()
  })
  return (
    <DiscardQuestion
      isOpen={blocker.state === 'blocked'}
      onStay={() => blocker.reset?.()}
      onDiscard={() => {
        unsaved.clear()
        blocker.proceed?.()
        tell()
      }}
    />
  )
}

type DiscardQuestionProps = { isOpen: boolean; onStay: () => void; onDiscard: () => void }

function DiscardQuestion({ isOpen, onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={(opened) => !opened && onStay()}
      title="Discard what you entered?"
      description="It has not been saved yet."
      confirmText="Discard"
      onConfirm={onDiscard}
    />
  )
}
