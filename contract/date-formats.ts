/** How dates and times are written for a person. Pure, and without zod: the first page needs it. */

export const hourStyles = ['12h', '24h'] as const
export const dateOrders = ['month-first', 'day-first', 'year-first'] as const

export type DateFormats = {
  /** A name of the tz database; undefined: that of this machine. */
  timeZone: string | undefined
  hours: (typeof hourStyles)[number]
  order: (typeof dateOrders)[number]
}

/** The specification's names for three time zones of a company profile. */
const named: Record<string, string> = {
  pst: 'America/Los_Angeles',
  est: 'America/New_York',
  gmt: 'UTC',
}

/** The tz database's name of a zone that a form stores. */
export const zoneOf = (timeZone: string): string => named[timeZone] ?? timeZone

export type DateWriter = {
  /** 'Nov 23, 2026', '23 Nov 2026' or '2026-11-23'. */
  date: (at: Date) => string
  /** With the time: '23 Nov 2026, 14:30'. */
  moment: (at: Date) => string
  time: (at: Date) => string
  /** Without the year where the order has one: 'Nov 23'. */
  dayOfYear: (at: Date) => string
  /** 'YYYY-MM-DD' in the zone, whatever the order: for comparisons. */
  isoDay: (at: Date) => string
}

/** 2026-11-23 is the short form of Canada, and 23 Nov that of Britain, in the language of the pages. */
export const dateLocales = {
  'month-first': 'en',
  'day-first': 'en-GB',
  'year-first': 'en-CA',
} as const

const ISO = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

export const dateWriter = ({ timeZone, hours, order }: DateFormats): DateWriter => {
  // Created at first use: each takes a millisecond.
  const formatter = (locale: string, options: Intl.DateTimeFormatOptions) => {
    let made: Intl.DateTimeFormat | undefined
    return (at: Date): string => {
      made ??= new Intl.DateTimeFormat(locale, { timeZone, ...options })
      return made.format(at)
    }
  }
  const locale = dateLocales[order]
  const isoDay = formatter('en-CA', ISO)
  const isIso = order === 'year-first'
  const date = isIso ? isoDay : formatter(locale, { dateStyle: 'medium' })
  const time = formatter('en', {
    timeStyle: 'short',
    hourCycle: hours === '12h' ? 'h12' : 'h23',
  })
  return {
    ...{ date, time, isoDay },
    moment: (at) => `${date(at)}, ${time(at)}`,
    dayOfYear: isIso ? isoDay : formatter(locale, { month: 'short', day: 'numeric' }),
  }
}
