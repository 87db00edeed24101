import { useState } from 'react'
import { useSecondsUntil } from '#web/lib/time/use-seconds-until.ts'

export function useCountdown(seconds: number, startsAtOnce: boolean) {
  const fromNow = () => Date.now() + seconds * 1000
  const [endsAtMs, setEndsAtMs] = useState(() => (startsAtOnce ? fromNow() : 0))
  const secondsLeft = useSecondsUntil(endsAtMs, seconds)
  return { secondsLeft, start: () => setEndsAtMs(fromNow()) }
}
