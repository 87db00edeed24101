/** A recurrence rule in words (RFC 5545 section 3.3.10). */
const units: Readonly<Record<string, string>> = {
  ...{ DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' },
  ...{ HOURLY: 'hour', MINUTELY: 'minute' },
}
const days: Readonly<Record<string, string>> = {
  ...{ MO: 'Monday', TU: 'Tuesday', WE: 'Wednesday', TH: 'Thursday' },
  ...{ FR: 'Friday', SA: 'Saturday', SU: 'Sunday' },
}
const places: Readonly<Record<string, string>> = {
  ...{ '': '', '1': 'the first ', '2': 'the second ', '3': 'the third ', '4': 'the fourth ' },
  ...{ '5': 'the fifth ', '-1': 'the last ' },
}

/** 'Every 2 weeks on Monday and Friday, 10 times'. A rule that words cannot tell: 'Repeats'. */
export const recurrenceWords = (rule: string): string => {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';', 20)
      .map((part) => part.split('=', 2) as [string, string]),
  )
  const unit = units[parts.get('FREQ') ?? '']
  const isUntold = [...parts.keys()].some((name) =>
    /^BY(?:SETPOS|HOUR|MINUTE|YEARDAY|WEEKNO)$/.test(name),
  )
  if (unit === undefined || isUntold) return 'Repeats'
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const every = interval > 1 && interval < 1_000 ? `Every ${interval} ${unit}s` : `Every ${unit}`
  return `${every}${onDays(parts.get('BYDAY') ?? '')}${onDates(parts.get('BYMONTHDAY') ?? '')}${untilWhen(parts)}`
}

const onDays = (given: string): string => {
  const named = given.split(',', 7).flatMap((each) => {
    const [, nth = '', day = ''] = /^\+?(-?\d{0,2})([A-Z]{2})$/.exec(each) ?? []
    const place = places[nth]
    return days[day] === undefined || place === undefined ? [] : [`${place}${days[day]}`]
  })
  if (named.join() === 'Monday,Tuesday,Wednesday,Thursday,Friday') return ' from Monday to Friday'
  return named.length === 0 ? '' : ` on ${listed(named)}`
}

const onDates = (given: string): string => {
  const dates = given.split(',', 31).filter((date) => /^\d{1,2}$/.test(date))
  return dates.length === 0 ? '' : ` on day ${listed(dates)}`
}

const untilWhen = (parts: Map<string, string>): string => {
  const count = parts.get('COUNT') ?? ''
  const until = /^(\d{4})(\d{2})(\d{2})/.exec(parts.get('UNTIL') ?? '')
  if (/^\d{1,6}$/.test(count)) return count === '1' ? ', once' : `, ${count} times`
  return until ? `, until ${until[1]}-${until[2]}-${until[3]}` : ''
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
