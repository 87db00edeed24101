/** The time for what is counted down; nothing in what the server draws, whose moment is past when the browser takes it over. */
import { useNow } from '#web/lib/time/use-now.ts'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

/** Milliseconds; null while there is no browser to count in. */
export function useClock(everyMs: number): number | null {
  const now = useNow(everyMs)
  const isCounting = useInBrowser(() => true, false)
  return isCounting ? now : null
}
