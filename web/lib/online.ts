/** Whether this device has a network, as the browser says. With one, the server may still be out of reach. */
import { useSyncExternalStore } from 'react'

export const isOffline = (): boolean => navigator.onLine === false

const listen = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const useIsOffline = (): boolean => useSyncExternalStore(listen, isOffline, () => false)
