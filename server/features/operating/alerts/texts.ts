/** How the sentences of alerts write times. */

/** Such as '2026-11-20 12:00 UTC'. */
export const timeText = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Such as '25 minutes'. */
export const minutesText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
