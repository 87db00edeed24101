/** The toast: one at a time, the newest wins. A dismissed one stays mounted for its way out and is dropped much later. */
import { useSyncExternalStore } from 'react'

const TOAST_LIMIT = 1
const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_DURATION_MS = 5000

export type ToastVariant = 'default' | 'success' | 'error'
export type ToastContent = {
  title: string
  description?: string
  variant?: ToastVariant
  durationMs?: number
  /** One button: 'Undo'. */
  action?: ToastAction | null
}
export type ToastAction = { label: string; run: () => void }
export type ToastItem = Required<ToastContent> & { id: number; isOpen: boolean }

let toasts: readonly ToastItem[] = []
let lastId = 0
const listeners = new Set<() => void>()
const removals = new Map<number, ReturnType<typeof setTimeout>>()

function show(next: readonly ToastItem[]): void {
  for (const [id, timer] of removals) {
    if (next.some((item) => item.id === id)) continue
    clearTimeout(timer)
    removals.delete(id)
  }
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast in place of any other; answers its id. */
export function toast(content: ToastContent): number {
  lastId += 1
  const item = {
    description: '',
    variant: 'default' as const,
    durationMs: TOAST_DURATION_MS,
    action: null,
    ...content,
    id: lastId,
    isOpen: true,
  }
  show([item, ...toasts].slice(0, TOAST_LIMIT))
  return item.id
}

/** What went wrong, in the words of the server or of ours. */
export const toastError = (description: string): number =>
  toast({ title: '❌ Error', description, variant: 'error' })

/** Closes one toast, or all. */
export function dismissToast(id?: number): void {
  const isMeant = (item: ToastItem) => (id === undefined || item.id === id) && item.isOpen
  for (const item of toasts.filter(isMeant)) {
    const remove = () => show(toasts.filter((other) => other.id !== item.id))
    removals.set(item.id, setTimeout(remove, TOAST_REMOVE_DELAY_MS))
  }
  show(toasts.map((item) => (isMeant(item) ? { ...item, isOpen: false } : item)))
}

export const readToasts = (): readonly ToastItem[] => toasts

export const useToasts = (): readonly ToastItem[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readToasts,
    readToasts,
  )
