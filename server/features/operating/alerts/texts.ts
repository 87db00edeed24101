/** How the sentences of alerts write spans of time. */

/** Such as '25 minutes'. */
export const minutesText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
