import { focusManager } from '@tanstack/react-query'

const HIDDEN_MS = 60_000

/** Of a query: events reach only pages that are seen; a hidden one asks now and then, for its title and notifications. */
export const whileHidden = {
  refetchInterval: () => (focusManager.isFocused() ? false : HIDDEN_MS),
  refetchIntervalInBackground: true,
} as const
