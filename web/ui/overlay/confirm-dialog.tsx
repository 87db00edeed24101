import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from '../form/button.tsx'
import { useReturnFocus } from './return-focus.ts'

type ConfirmDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  /** What will happen; names the thing. */
  description: ReactNode
  confirmText: string
  onConfirm: () => void
  isPending?: boolean
  isDangerous?: boolean
  cancelText?: string
  /** A second action, between the two buttons. */
  otherWay?: ReactNode
  /** Below the description: what ends, a field to type into. */
  children?: ReactNode
  /** false: something is still to be typed, or to be loaded. */
  isReady?: boolean
}

/** Confirms an action that cannot be undone. Stays open while pending; the caller closes it. */
export function ConfirmDialog({
  isOpen,
  onOpenChange,
  title,
  description,
  confirmText,
  onConfirm,
  isPending = false,
  isDangerous = true,
  cancelText = 'Cancel',
  otherWay,
  children,
  isReady = true,
}: ConfirmDialogProps) {
  const returnFocus = useReturnFocus(isOpen)
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        {/* What has the focus scrolls clear of the buttons, which are two lines on a phone. */}
        <AlertDialog.Content
          onCloseAutoFocus={returnFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-rise scroll-pt-6 scroll-pb-36 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-floating focus:outline-none"
        >
          <AlertDialog.Title className="wrap-anywhere font-semibold text-lg leading-6 tracking-tight">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-soft text-sm">
            {description}
          </AlertDialog.Description>
          {children}
          {/* Stays in sight where the dialog is higher than the window. */}
          <div className="sticky -bottom-6 -mx-6 mt-2 -mb-6 flex flex-wrap justify-end gap-2 bg-surface px-6 pt-4 pb-6">
            <AlertDialog.Cancel asChild>
              <Button variant="secondary" data-escape>
                {cancelText}
              </Button>
            </AlertDialog.Cancel>
            {otherWay}
            <Button
              variant={isDangerous ? 'danger' : 'primary'}
              isPending={isPending}
              disabled={!isReady}
              onClick={onConfirm}
            >
              {confirmText}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
