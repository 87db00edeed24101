/** Reads and saves the vacation reply of a mailbox. */
import { zoneOf } from '#contract/date-formats.ts'
import { invalidField } from '#contract/errors.ts'
import {
  type setVacation as setVacationRoute,
  VACATION_DAYS,
  type Vacation,
} from '#contract/mail/vacation.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openSettings, openToSpeak } from '#server/features/mailboxes/mailbox-settings.ts'
import { timeZoneOf } from '#server/features/workspaces/preferences.ts'
import { DAY_MS, DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  deleteAnswers,
  lockVacation,
  type Place,
  readVacation,
  storeVacation,
  type VacationRow,
} from './vacation-store.ts'

export type VacationForm = Input<typeof setVacationRoute>['body']

/** @throws NOT_EXISTS, FORBIDDEN */
export const getVacation = async (app: App, who: Who, mailboxId: string): Promise<Vacation> => {
  const place = await openSettings(app, who, mailboxId)
  return toVacation(app, who, await readVacation(app.db, place))
}

/** @throws NOT_EXISTS, FORBIDDEN, VALIDATION when the last day is in the past. */
export const setVacation = async (
  app: App,
  who: Who,
  mailboxId: string,
  form: VacationForm,
): Promise<Vacation> => {
  const { id, workspaceId } = await openToSpeak(app, who, mailboxId)
  const now = app.clock.now()
  const times = timesOf(form, now)
  if (form.isOn && times.endsAt !== null && times.endsAt <= now)
    throw invalidField('lastDay', 'This day is over')
  const place = { workspaceId, mailboxId: id }
  const saved = await app.db.transaction().execute((tx) => saveReply(app, tx, place, form))
  return toVacation(app, who, saved)
}

/** The caller has checked the right and the days. */
export const saveReply = async (app: App, tx: Db, place: Place, form: VacationForm) => {
  const now = app.clock.now()
  const before = await lockVacation(tx, place)
  const isSame = before !== undefined && isSamePeriod(before, form, now)
  const row = {
    ...place,
    ...form,
    ...timesOf(form, now),
    // A reply that already runs keeps its start when something else is saved.
    ...(isSame && form.firstDay === '' && { startsAt: before.startsAt }),
    periodId: isSame ? before.periodId : newId(),
    answered: isSame ? before.answered : 0,
  }
  await storeVacation(tx, row)
  await announceChange(tx, { topic: 'messages', ...place })
  return row
}

type Days = { firstDay: string; lastDay: string; timeZone: string }
export type Times = { startsAt: Date; endsAt: Date | null }

/** Start and end of a vacation reply. Pure. */
export const timesOf = ({ firstDay, lastDay, timeZone }: Days, now: Date): Times => {
  const zone = zoneOf(timeZone)
  return {
    startsAt: firstDay === '' ? now : dayStartIn(zone, firstDay),
    endsAt: lastDay === '' ? null : dayStartIn(zone, lastDay, 1),
  }
}

const parts = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', {
    ...({ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit' } as const),
    ...({ day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
  })

/** The offset of a zone from UTC. */
const offsetMsAt = (format: Intl.DateTimeFormat, at: number): number => {
  const of = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = of
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/**
 * Calendar days in a time zone.
 * The start of a day ('2026-12-24') in a zone, `plusDays` later. Where a clock change skips midnight, the day starts at
 * the change.
 */
export const dayStartIn = (zone: string, day: string, plusDays = 0): Date => {
  const wall = Date.parse(`${day}T00:00:00Z`) + plusDays * DAY_MS
  const format = parts(zone)
  // Tries the offset of this day and of the next: one of both fits.
  const guesses = [-1, 1].map((side) => wall - offsetMsAt(format, wall + side * DAY_MS))
  const fitting = guesses.filter((at) => at + offsetMsAt(format, at) === wall)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : Math.max(...guesses))
}

export const stateAt = (
  { isOn, startsAt, endsAt }: Times & { isOn: boolean },
  now: Date,
): 'off' | 'waiting' | 'on' | 'over' => {
  if (!isOn) return 'off'
  if (now < startsAt) return 'waiting'
  return endsAt !== null && endsAt <= now ? 'over' : 'on'
}

/** A new last day does not answer the same senders again; a new text does, and so does turning the reply on again. */
const isSamePeriod = (before: VacationRow, form: VacationForm, now: Date): boolean =>
  (!form.isOn || ['on', 'waiting'].includes(stateAt(before, now))) &&
  before.subject === form.subject &&
  before.text === form.text

const toVacation = async (app: App, who: Who, row: VacationRow | undefined): Promise<Vacation> => {
  if (row === undefined) {
    const timeZone = await timeZoneOf(app, who)
    const never = { isOn: false, firstDay: '', lastDay: '', subject: '', text: '' }
    return { ...never, timeZone, state: 'off', answered: 0 }
  }
  const { isOn, firstDay, lastDay, timeZone, subject, text, answered } = row
  const state = stateAt(row, app.clock.now())
  return { isOn, firstDay, lastDay, timeZone, subject, text, state, answered }
}

/** Long enough for the count in the settings. */
const KEEP_SECONDS = 90 * DAY_SECONDS

/** Deletes old answers, never before the sender may be answered again. */
export const purgeVacations = (app: App): Promise<void> =>
  deleteAnswers(
    app.db,
    secondsAfter(app.clock.now(), -Math.max(KEEP_SECONDS, VACATION_DAYS * DAY_SECONDS)),
  )
