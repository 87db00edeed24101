import { type ReactNode, type RefObject, useRef, useState } from 'react'
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
export function useUnsavedChanges(isDirty: boolean, close: () => void): UnsavedChanges {
  const isLeaving = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  useBeforeUnload((event) => {
    if (isDirty && !isLeaving.current) event.preventDefault()
  })
  const leave = () => {
    isLeaving.current = true
    close()
  }
  return {
    leave,
    requestClose: () => (isDirty ? setIsAsking(true) : leave()),
    question: (
      <>
        {isDirty && <NavigationGuard isLeaving={isLeaving} />}
        <DiscardQuestion isOpen={isAsking} onStay={() => setIsAsking(false)} onDiscard={leave} />
      </>
    ),
  }
}

/** There only while there is something to lose: the router asks one guard, and a dialog may stand above a form. */
function NavigationGuard({ isLeaving }: { isLeaving: RefObject<boolean> }) {
  const blocker = useBlocker(() => !isLeaving.current)
  return (
    <DiscardQuestion
      isOpen={blocker.state === 'blocked'}
      onStay={() => blocker.reset?.()}
      onDiscard={() => {
        isLeaving.current = true
        blocker.proceed?.()
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
