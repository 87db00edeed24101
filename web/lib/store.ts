/** A value outside React that components follow (decision 052). */
import { useSyncExternalStore } from 'react'

export type Store = {
  /** Says that what is read has changed. */
  changed(): void
  /** Calls `listener` at each change; returns a function that stops it. */
  listen(listener: () => void): () => void
  /** Renders with the value of `read`, which must be stable between changes. `drawn`: the value on the server. */
  use<T>(read: () => T, drawn?: () => T): T
}

export function createStore(): Store {
  const listeners = new Set<() => void>()
  const listen = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return {
    listen,
    changed: () => {
      for (const listener of listeners) listener()
    },
    use: (read, drawn = read) => useSyncExternalStore(listen, read, drawn),
  }
}
