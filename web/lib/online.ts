/** Whether this device has a network, as the browser says. With one, the server may still be out of reach. */
import { useSyncExternalStore } from 'react'

const isOffline = (): boolean => navigator.onLine === false

const listen = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

let notes = 0
/** A note that the page shows while it is offline. Returns what takes it away. */
export const showNote = () => {
  notes += 1
  return () => {
    notes -= 1
  }
}
export const isOfflineSaid = (): boolean => notes > 0 && isOffline()

export const useIsOffline = (): boolean => useSyncExternalStore(listen, isOffline, () => false)
