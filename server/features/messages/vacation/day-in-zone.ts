/** Calendar days in a time zone. */

const parts = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', {
    ...({ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit' } as const),
    ...({ day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
  })

/** How far the clocks of a zone are ahead of UTC. */
const offsetMsAt = (format: Intl.DateTimeFormat, at: number): number => {
  const of = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = of
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/**
 * When a day ('2026-12-24') begins in a zone; `plusDays` after it. Where the clocks skip midnight, it begins when they
 * have.
 */
export const dayStartIn = (zone: string, day: string, plusDays = 0): Date => {
  const wall = Date.parse(`${day}T00:00:00Z`) + plusDays * 86_400_000
  const format = parts(zone)
  // The offset before the change is asked with that of the day after: one of both fits.
  const guesses = [-1, 1].map((side) => wall - offsetMsAt(format, wall + side * 86_400_000))
  const fitting = guesses.filter((at) => at + offsetMsAt(format, at) === wall)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : Math.max(...guesses))
}
