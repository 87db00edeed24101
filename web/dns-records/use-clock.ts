/** The time for what is counted down; nothing in what the server draws, whose moment is past when the browser takes it over. */
import { useSyncExternalStore } from 'react'
import { useNow } from '#web/lib/time/use-now.ts'

const never = () => () => undefined

/** Milliseconds; null while there is no browser to count in. */
export function useClock(everyMs: number): number | null {
  const now = useNow(everyMs)
  const isCounting = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isCounting ? now : null
}
