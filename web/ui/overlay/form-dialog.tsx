import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '../form/button.tsx'
import { Dialog } from './dialog.tsx'
import type { UnsavedChanges } from './unsaved-changes.tsx'

type FormDialogProps = {
  title: string
  description?: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** From `useUnsavedChanges`: closing a changed form asks for confirmation. */
  unsaved: UnsavedChanges
  onSubmit: (event: FormEvent) => void
  submitText: string
  /** Text of the button while the form is being sent. */
  pendingText?: string
  isPending: boolean
  /** true: the form has no changes to send. */
  isUnchanged?: boolean
  /** Classes of the form. */
  className?: string
  children: ReactNode
}

/** A form in a dialog, with Cancel and the button that sends it. It stays open while it is sent. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, size, unsaved, onSubmit, isPending, isUnchanged = false } = props
  const { submitText, pendingText = submitText, className, children } = props
  const formId = useId()
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !isPending && unsaved.requestClose()}
        title={title}
        description={description}
        {...(size && { size })}
        footer={
          <>
            <Button variant="secondary" disabled={isPending} onClick={unsaved.requestClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} isPending={isPending} disabled={isUnchanged}>
              {isPending ? pendingText : submitText}
            </Button>
          </>
        }
      >
        <form method="post" id={formId} noValidate onSubmit={onSubmit} className={className}>
          {children}
        </form>
      </Dialog>
      {unsaved.question}
    </>
  )
}
