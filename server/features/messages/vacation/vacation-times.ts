/** When a vacation reply begins and ends. Pure. */
import { dayStartIn } from './day-in-zone.ts'

/** The specification's names for three zones of a company profile. */
const named: Record<string, string> = {
  pst: 'America/Los_Angeles',
  est: 'America/New_York',
  gmt: 'UTC',
}

type Days = { firstDay: string; lastDay: string; timeZone: string }
export type Times = { startsAt: Date; endsAt: Date | null }

export const timesOf = ({ firstDay, lastDay, timeZone }: Days, now: Date): Times => {
  const zone = named[timeZone] ?? timeZone
  return {
    startsAt: firstDay === '' ? now : dayStartIn(zone, firstDay),
    endsAt: lastDay === '' ? null : dayStartIn(zone, lastDay, 1),
  }
}

export const stateAt = (
  { isOn, startsAt, endsAt }: Times & { isOn: boolean },
  now: Date,
): 'off' | 'waiting' | 'on' | 'over' => {
  if (!isOn) return 'off'
  if (now < startsAt) return 'waiting'
  return endsAt !== null && endsAt <= now ? 'over' : 'on'
}
