import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { cn } from '../cn.ts'
import { Button } from '../form/button.tsx'

export type ToastProps = {
  title: string
  description: string
  variant: 'default' | 'success' | 'error'
  durationMs: number
  action: { label: string; run: () => void } | null
  isOpen: boolean
  onClose: () => void
}

export const ToastProvider = Radix.Provider

export function Toast(props: ToastProps) {
  const { title, description, variant, durationMs, action, isOpen, onClose } = props
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={(next) => !next && onClose()}
      duration={durationMs}
      type="foreground"
      className={cn(
        'relative flex items-start gap-3 rounded-xl border border-line bg-surface p-4 pr-11 shadow-floating data-[state=closed]:animate-fade-out data-[state=open]:animate-rise data-[swipe=end]:animate-fade-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        variant === 'error' && 'border-bad/35',
      )}
    >
      {variant === 'error' && (
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      )}
      {variant === 'success' && (
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
      )}
      <div className="grid min-w-0 gap-0.5">
        <Radix.Title className="font-medium text-ink text-sm">{title}</Radix.Title>
        {description && (
          <Radix.Description className="break-words text-soft text-sm">
            {description}
          </Radix.Description>
        )}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label} onClick={action.run}>
          <Button variant="link" size="inline" className="-my-0.5 ml-auto">
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <Button
          variant="quiet"
          size="iconSmall"
          aria-label="Close notification"
          className="absolute top-2.5 right-2.5 size-7"
        >
          <X aria-hidden />
        </Button>
      </Radix.Close>
    </Radix.Root>
  )
}

export function ToastViewport() {
  return (
    <Radix.Viewport className="fixed top-0 right-0 z-[60] flex w-full flex-col gap-2 p-4 outline-none sm:top-auto sm:bottom-0 sm:max-w-[26rem] sm:p-6" />
  )
}
