import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** What only a browser can tell, and does not change by itself; `unknown` in what the server draws. */
export const useInBrowser = <T>(read: () => T, unknown: T): T =>
  useSyncExternalStore(never, read, () => unknown)
