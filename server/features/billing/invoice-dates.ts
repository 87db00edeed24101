/** The dates of invoices are days in UTC, as their months are. */
const inUtc = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (at: Date | string): string => format.format(new Date(at))
}

/** '4 December 2026'. */
export const longDate = inUtc({ day: 'numeric', month: 'long', year: 'numeric' })
/** 'December 2026'. */
export const monthName = inUtc({ month: 'long', year: 'numeric' })
