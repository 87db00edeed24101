/**
 * The toast: one at a time, the newest wins. A dismissed toast stays mounted for its animation and is removed much later
 * (decision 052).
 */
import { createStore } from './store.ts'

const TOAST_LIMIT = 1
const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_DURATION_MS = 5000

export type ToastVariant = 'default' | 'success' | 'error'
export type ToastContent = {
  title: string
  description?: string
  variant?: ToastVariant
  durationMs?: number
  /** One button, such as 'Undo'. */
  action?: ToastAction | null
}
export type ToastAction = { label: string; run: () => void }
export type ToastItem = Required<ToastContent> & { id: number; isOpen: boolean }

let toasts: readonly ToastItem[] = []
let lastId = 0
const store = createStore()
const removals = new Map<number, ReturnType<typeof setTimeout>>()

function show(next: readonly ToastItem[]): void {
  for (const [id, timer] of removals) {
    if (next.some((item) => item.id === id)) continue
    clearTimeout(timer)
    removals.delete(id)
  }
  toasts = next
  store.changed()
}

/** Shows a toast instead of any other; returns its id. */
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

/** Shows an error, in the words of the server or ours. */
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

/** The id of the newest toast; 0 before the first. */
export const newestToast = (): number => lastId

/** The label of an action that `openUndo` finds. */
export const UNDO = 'Undo'

/** What the toast that is shown offers to undo. */
export const openUndo = (): { id: number; run: () => void } | undefined => {
  const found = toasts.find(({ isOpen, action }) => isOpen && action?.label === UNDO)
  return found?.action ? { id: found.id, run: found.action.run } : undefined
}

export const readToasts = (): readonly ToastItem[] => toasts

export const useToasts = (): readonly ToastItem[] => store.use(readToasts)
