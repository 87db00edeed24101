import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** A value that only the browser knows and that does not change by itself; `unknown` on the server. */
export const useInBrowser = <T>(read: () => T, unknown: T): T =>
  useSyncExternalStore(never, read, () => unknown)
