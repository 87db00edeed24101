import { dismissToast, useToasts } from '#web/lib/toast-store.ts'
import { Toast, ToastProvider, ToastViewport } from '#web/ui/overlay/toast.tsx'

/** Shows the toasts of the toast store; mounted once. */
export function Toaster() {
  const toasts = useToasts()
  return (
    <ToastProvider label="Notification">
      {toasts.map(({ id, ...content }) => (
        <Toast key={id} {...content} onClose={() => dismissToast(id)} />
      ))}
      <ToastViewport />
    </ToastProvider>
  )
}
