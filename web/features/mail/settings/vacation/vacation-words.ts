/** What a vacation reply does now, in words. */
import { VACATION_DAYS, type Vacation } from '#contract/mail/vacation.ts'
import { formatCount } from '#web/lib/format.ts'
import type { Tone } from '#web/ui/data/badge.tsx'

export const vacationStates = {
  off: { tone: 'neutral', text: 'Off' },
  waiting: { tone: 'accent', text: 'Planned' },
  on: { tone: 'good', text: 'On' },
  over: { tone: 'neutral', text: 'Over' },
} as const satisfies Record<Vacation['state'], { tone: Tone; text: string }>

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
/** '2026-12-24' as 'Dec 24, 2026'. */
export const dayWords = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))

export const untilWords = ({ lastDay }: Pick<Vacation, 'lastDay'>): string =>
  lastDay === '' ? 'until it is turned off' : `through ${dayWords(lastDay)}`

export const answeredWords = (answered: number): string => {
  if (answered === 0) return 'No answers have been sent yet.'
  return `${formatCount(answered)} ${answered === 1 ? 'answer has' : 'answers have'} been sent.`
}

export const RULES = `Each sender gets it once in ${VACATION_DAYS} days. Mailing lists, newsletters, programs and mail in Junk get none.`
