import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const never = () => () => {}

/** The state of this history entry; undefined while the server draws, which cannot know it. */
export function useHistoryState(): unknown {
  const { state } = useLocation()
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isInBrowser ? state : undefined
}
