/** The vacation reply as its holder sees and sets it. */
import { invalidField } from '#contract/errors.ts'
import type { setVacation as setVacationRoute, Vacation } from '#contract/mail/vacation.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { getCompany } from '#server/features/workspaces/company-profile.ts'
import { newId } from '#server/lib/ids.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { openSettings } from '../settings/open-settings.ts'
import { lockVacation, readVacation, storeVacation, type VacationRow } from './vacation-store.ts'
import { stateAt, timesOf } from './vacation-times.ts'

export type VacationForm = Input<typeof setVacationRoute>['body']

/** @throws NOT_EXISTS, FORBIDDEN */
export const getVacation = async (app: App, who: Who, mailboxId: string): Promise<Vacation> => {
  const place = await openSettings(app, who, mailboxId)
  return toVacation(app, who, await readVacation(app.db, place))
}

/** @throws NOT_EXISTS, FORBIDDEN, VALIDATION at a last day that is over. */
export const setVacation = async (
  app: App,
  who: Who,
  mailboxId: string,
  form: VacationForm,
): Promise<Vacation> => {
  const place = await openSettings(app, who, mailboxId)
  const now = app.clock.now()
  const times = timesOf(form, now)
  if (form.isOn && times.endsAt !== null && times.endsAt <= now)
    throw invalidField('lastDay', 'This day is over')
  const saved = await app.db.transaction().execute(async (tx) => {
    const before = await lockVacation(tx, place)
    const isSame = before !== undefined && isSamePeriod(before, form, now)
    const row = {
      ...place,
      ...form,
      ...times,
      // What has begun has begun then, whatever is saved beside it.
      ...(isSame && form.firstDay === '' && { startsAt: before.startsAt }),
      periodId: isSame ? before.periodId : newId(),
      answered: isSame ? before.answered : 0,
    }
    await storeVacation(tx, row)
    await announceChange(tx, { topic: 'messages', ...place })
    return row
  })
  return toVacation(app, who, saved)
}

/** Another end is no news to those who were answered; another text is, and so is a reply that was off or over. */
const isSamePeriod = (before: VacationRow, form: VacationForm, now: Date): boolean =>
  (!form.isOn || ['on', 'waiting'].includes(stateAt(before, now))) &&
  before.subject === form.subject &&
  before.text === form.text

const toVacation = async (app: App, who: Who, row: VacationRow | undefined): Promise<Vacation> => {
  if (row === undefined) {
    const { timeZone } = await getCompany(app, who)
    const never = { isOn: false, firstDay: '', lastDay: '', subject: '', text: '' }
    return { ...never, timeZone, state: 'off', answered: 0 }
  }
  const { isOn, firstDay, lastDay, timeZone, subject, text, answered } = row
  const state = stateAt(row, app.clock.now())
  return { isOn, firstDay, lastDay, timeZone, subject, text, state, answered }
}
