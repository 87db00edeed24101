/** The current time, updated regularly: for texts like '12 seconds ago'. */
import { useEffect, useState } from 'react'

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** The value after it has not changed for `delayMs`: for searches that ask the server. */
export function useDebounced<T>(value: T, delayMs = 200): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}

/**
 * Whole seconds left by the clock: a sleeping tab does not prolong them, and a wrong clock of this computer never makes the
 * wait longer than `atMost`.
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
