import { type ReactNode, useRef, useState } from 'react'
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
  const blocker = useBlocker(() => isDirty && !isLeaving.current)
  useBeforeUnload((event) => {
    if (isDirty && !isLeaving.current) event.preventDefault()
  })
  const leave = () => {
    isLeaving.current = true
    if (blocker.state === 'blocked') blocker.proceed()
    else close()
  }
  const stay = () => {
    setIsAsking(false)
    if (blocker.state === 'blocked') blocker.reset()
  }
  return {
    leave,
    requestClose: () => (isDirty ? setIsAsking(true) : leave()),
    question: (
      <ConfirmDialog
        isOpen={isAsking || blocker.state === 'blocked'}
        onOpenChange={(isOpen) => !isOpen && stay()}
        title="Discard what you entered?"
        description="It has not been saved yet."
        confirmText="Discard"
        onConfirm={leave}
      />
    ),
  }
}
