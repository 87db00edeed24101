import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { ScrollRegion } from '../data/scroll-region.tsx'
import { Button, keepFocus } from '../form/button.tsx'
import { useReturnFocus } from './return-focus.ts'

type DialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  /** Announced with the title. Without one, the title says what the dialog is for. */
  description?: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** Buttons at the bottom right; they stay in view while the content scrolls. */
  footer?: ReactNode
  children?: ReactNode
  /** true: the content has no focusable element. */
  isText?: boolean
  className?: string
}

const BODY = 'min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 sm:px-6 sm:pb-6'

const widths = { small: 'sm:max-w-md', medium: 'sm:max-w-xl', large: 'sm:max-w-3xl' }

/** A dialog; on a phone a sheet from below. When the footer submits a form, put the form around the whole content. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  description,
  size = 'small',
  footer,
  children,
  isText = false,
  className,
}: DialogProps) {
  const returnFocus = useReturnFocus(isOpen)
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 grid animate-fade items-end overflow-y-auto bg-scrim sm:place-items-center sm:p-6">
          <Radix.Content
            onCloseAutoFocus={returnFocus}
            {...(isText && { onOpenAutoFocus: focusClose })}
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={cn(
              'relative flex max-h-[92dvh] w-full animate-rise flex-col overflow-hidden rounded-t-2xl border border-line bg-surface shadow-floating focus:outline-none sm:max-h-[calc(100dvh-4rem)] sm:rounded-2xl',
              widths[size],
              className,
            )}
          >
            <header className="grid gap-1 px-5 pt-5 pr-14 pb-4 sm:px-6 sm:pt-6">
              <Radix.Title className="wrap-anywhere font-semibold text-ink text-lg leading-6 tracking-tight">
                {title}
              </Radix.Title>
              {description && (
                <Radix.Description className="text-soft text-sm">{description}</Radix.Description>
              )}
            </header>
            {isText ? (
              <ScrollRegion label={title} className={BODY}>
                {children}
              </ScrollRegion>
            ) : (
              children && <div className={BODY}>{children}</div>
            )}
            {footer && <Footer>{footer}</Footer>}
            <CloseButton />
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A frame around a whole text reads as an error: the button gets the focus, and Tab reaches the text. */
const focusClose = (event: Event) => {
  const dialog = event.currentTarget
  if (!(dialog instanceof HTMLElement)) return
  event.preventDefault()
  dialog.querySelector<HTMLElement>('[data-escape]')?.focus()
}

function Footer({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the work, this only keeps the focus
    <footer
      onMouseDown={keepFocus}
      className="flex flex-wrap justify-end gap-2 border-line border-t bg-sunken px-5 py-3.5 sm:px-6"
    >
      {children}
    </footer>
  )
}

function CloseButton() {
  return (
    <Radix.Close asChild>
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label="Close"
        data-escape
        className="absolute top-4 right-4"
      >
        <X aria-hidden />
      </Button>
    </Radix.Close>
  )
}
