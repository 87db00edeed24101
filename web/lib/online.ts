/** Whether this device has a network, as the browser says, and whether the server answered the last call. */
import { useSyncExternalStore } from 'react'

const isOffline = (): boolean => navigator.onLine === false

const listen = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

let isAnswering = true
const listeners = new Set<() => void>()

/** Called after each call of the API. */
export function noteAnswer(isAnswered: boolean): void {
  if (isAnswered === isAnswering) return
  isAnswering = isAnswered
  for (const listener of listeners) listener()
}

let notes = 0
/** A note that the page shows while it is offline. Returns what takes it away. */
export const showNote = () => {
  notes += 1
  return () => {
    notes -= 1
  }
}
export const isOfflineSaid = (): boolean => notes > 0 && lineNow() !== 'good'

/** `silent`: there is a network, and the server does not answer. */
export type Line = 'good' | 'offline' | 'silent'

const lineNow = (): Line => (isOffline() ? 'offline' : isAnswering ? 'good' : 'silent')

export const useLine = (): Line => useSyncExternalStore(listen, lineNow, () => 'good')
