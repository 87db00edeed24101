import { useEffect, useState } from 'react'

/** Seconds left, counted by the clock: a sleeping tab does not stretch them. */
export function useCountdown(seconds: number, startsAtOnce: boolean) {
  const [endsAt, setEndsAt] = useState(() => (startsAtOnce ? Date.now() + seconds * 1000 : 0))
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const isRunning = secondsLeft > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  const start = () => {
    setNow(Date.now())
    setEndsAt(Date.now() + seconds * 1000)
  }
  return { secondsLeft, start }
}
