import { useEffect, useState } from 'react'

/**
 * Whole seconds left, counted by the clock: a sleeping tab does not stretch them, and a clock of this computer that goes
 * wrong makes nobody wait for longer than `atMost`.
 */
export function useSecondsUntil(endsAtMs: number, atMost: number): number {
  const [now, setNow] = useState(Date.now)
  const secondsLeft = Math.max(0, Math.min(atMost, Math.ceil((endsAtMs - now) / 1000)))
  const isRunning = secondsLeft > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return secondsLeft
}
